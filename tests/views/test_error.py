"""An error as a person reads it."""

import io

from stetho.explaining.report import ErrorReport, FrameReport
from stetho.explaining.scene import Explanation
from stetho.views.error import error_lines, explanation_lines, print_error

REPORT = ErrorReport(
    "RuntimeError",
    "mat1 and mat2 shapes cannot be multiplied",
    "net.py:21",
    "head.0",
    (
        FrameReport("net.py", 39, "<module>", "train(model)", (("model", "Net of 6 layers"),)),
        FrameReport("/v/torch/module.py", 1832, "inner", folded=3, library="torch"),
        FrameReport("net.py", 21, "forward", "return self.head(x)", (("x", "float32[16, 2048] cpu"),)),
    ),
    Explanation(
        "`head.0` (Linear) takes 1568 features in the last axis of its input, and got 2048",
        (("made at", "net.py:20: x = x.flatten(1)"),),
        ("a layer made for it: nn.Linear(2048, 32)", "another"),
    ),
)


def test_shows_frames_values_and_what_would_fit() -> None:
    assert [line for line, _ in error_lines(REPORT, 100)] == [
        "stetho · RuntimeError in layer `head.0` · net.py:21",
        "  net.py:39 in <module>",
        "    train(model)",
        "      model  Net of 6 layers",
        "  … 3 frames of torch, down to module.py:1832 in inner",
        "  net.py:21 in forward",
        "    return self.head(x)",
        "      x  float32[16, 2048] cpu",
        "",
        "  why         `head.0` (Linear) takes 1568 features in the last axis of its input, and got 2048",
        "  made at     net.py:20: x = x.flatten(1)",
        "  fits        a layer made for it: nn.Linear(2048, 32)",
        "  or          another",
    ]


def test_fits_a_narrow_terminal() -> None:
    assert max(len(line) for line, _ in error_lines(REPORT, 60)) <= 60


def test_is_plain_in_a_pipe() -> None:
    file = io.StringIO()
    print_error(REPORT, file)
    assert "\x1b" not in file.getvalue()


def test_an_expression_as_a_label_has_a_row_of_its_own() -> None:
    explanation = Explanation("why not", (("model(torch.randn(8, 4))", "float32[8, 3] cpu"),), ())
    assert [line for line, _ in explanation_lines(explanation, 80)][1:] == [
        "  model(torch.randn(8, 4))",
        "              float32[8, 3] cpu",
    ]
