"""The line that makes a leaf of values is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.rewrapped import rewrapped_at

PROGRAM = """\
def update(policy, games):
    logs = torch.tensor([log for game in games for log in game], requires_grad=True)
    gains = -(logs * rewards(games))
    loss = gains.mean()
    scaler.scale(loss).backward()

def fit(model, x, y):
    error = loss_function(model(x), y)
    error.backward()
    torch.autograd.backward(error)
    total = error.detach().requires_grad_()
    torch.autograd.backward(total)
"""


@pytest.mark.parametrize(("line", "made"), [(5, 2), (9, None), (10, None), (12, 11), (8, None)])
def test_a_loss_is_followed_to_what_was_wrapped_anew(tmp_path: Path, line: int, made: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert rewrapped_at(f"{file}:{line}") == (f"{file}:{made}" if made else None)
