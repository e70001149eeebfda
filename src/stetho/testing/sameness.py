"""For a test-suite: a model computes what a reference computes."""

import io
from typing import Any

from stetho.comparing.kinds import compare


def assert_same_as(reference: Any, model: Any, inputs: Any, **how: Any) -> None:
    """Raise an AssertionError that names the first place where a model differs from a reference, and why.

    Both are modules, or texts such as `file.py:build`; `inputs` is what `stetho.visit` takes. `how` is what
    `stetho.compare` takes: `port`, `tolerance`, `training`, `matches`.

    >>> import torch
    >>> assert_same_as(torch.nn.GELU(), torch.nn.Sequential(torch.nn.GELU()), (2, 3))
    >>> assert_same_as(torch.nn.GELU(), torch.nn.GELU(approximate="tanh"), (2, 3))
    Traceback (most recent call last):
    ...
    AssertionError: different: gelu in the model itself
    - `approximate` is 'none' in the first, 'tanh' in the second
    ...
    """
    # Not in the traceback that pytest prints: what matters is the test.
    __tracebackhide__ = True
    found = compare(reference, model, inputs, **how)
    if not found.is_equal:
        from stetho.views.model_comparison import print_model_comparison

        drawn = io.StringIO()
        print_model_comparison(found, drawn)
        raise AssertionError(f"{found}\n\n{drawn.getvalue()}")
