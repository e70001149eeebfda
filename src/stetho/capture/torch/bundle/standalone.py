"""A bundle as a test that stands alone: one file, which needs torch, safetensors and pytest, and not stetho."""

import base64
import inspect
import json
from pathlib import Path
from typing import Any

from torch import Tensor

from stetho.capture.torch.bundle import rebuild

LARGEST_TEXT = 200_000
"""Tensors with more bytes go into a file beside the test."""

HEAD = '''"""Step {step} of {program}: {what}.

Written by `stetho repro`. It fails as long as the fault is there.{size}
"""

import base64
import json
from pathlib import Path

import safetensors.torch

'''

TAIL = '''

DOCUMENT = json.loads({document})


def tensors():
    """What the step was given."""
    {tensors}

'''

FINITE = """
def test_loss_and_gradients_are_finite():
    step = Step(DOCUMENT, tensors()).run()
    bad = [key for key, gradient in step.gradients.items() if not gradient.isfinite().all()]
    assert step.is_finite, f"loss {step.loss}; {len(bad)} of {len(step.gradients)} gradients are not finite"
"""

USUAL = """
def test_loss_is_as_the_losses_before_let_expect():
    step = Step(DOCUMENT, tensors()).run()
    assert not step.is_high, f"loss {step.loss_value}; at most {DOCUMENT['loss_limit']} was to be expected"
"""


def write_test(
    path: Path, bundle: tuple[dict[str, Any], dict[str, Tensor]], *, what: str, size: str, asks: str = FINITE
) -> list[Path]:
    """Write the test, which asks this of the step, and beside it the tensors if they are many; gives the files."""
    from safetensors.torch import save, save_file

    document, tensors = bundle
    body = inspect.getsource(rebuild)
    # Its own head says what the file is.
    body = body.partition('"""\n\n')[2]
    files = [path]
    if sum(tensor.nbytes for tensor in tensors.values()) <= LARGEST_TEXT:
        text = base64.b64encode(save(tensors)).decode()
        lines = "\n".join(f'        "{text[at : at + 100]}"' for at in range(0, len(text), 100))
        reading = f"return safetensors.torch.load(base64.b64decode(\n{lines}\n    ))"
    else:
        beside = path.with_suffix(".safetensors")
        save_file(tensors, beside)
        files.append(beside)
        reading = f'return safetensors.torch.load_file(Path(__file__).with_name("{beside.name}"))'
    head = HEAD.format(step=document.get("step"), program=_program(document), what=what, size=size)
    quoted = repr(json.dumps(document))
    path.write_text(head + body + TAIL.format(document=quoted, tensors=reading) + asks, encoding="utf-8")
    return files


def _program(document: dict[str, Any]) -> str:
    files = [Path(source["file"]).name for source in document["sources"].values()]
    return files[0] if files else "a program"
