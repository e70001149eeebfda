"""The report of an error: frames with values, libraries folded, an explanation also for a cause."""

import textwrap
from pathlib import Path

from stetho.explaining.report import ErrorReport
from stetho.postmortem import MOST_FRAMES, report_of


def report(code: str, folder: Path) -> ErrorReport:
    file = folder / "program.py"
    text = textwrap.dedent(code).lstrip()
    file.write_text(text)
    try:
        exec(compile(text, str(file), "exec"), {"__name__": "__main__"})
    except Exception as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        return report_of(error)
    raise AssertionError


def test_shows_the_values_that_a_line_uses_first(tmp_path: Path) -> None:
    told = report("def f(a, b, password='x'):\n    rest = 1\n    return b / a\nf(0, 7)\n", tmp_path)
    assert (told.kind, told.message, told.where) == (
        "ZeroDivisionError",
        "division by zero",
        f"{tmp_path}/program.py:3",
    )
    assert told.frames[-1].values == (("b", "7"), ("a", "0"), ("password", "<hidden>"), ("rest", "1"))
    assert told.frames[-1].code == "return b / a"


def test_folds_the_frames_of_libraries(tmp_path: Path) -> None:
    told = report("import json\nprint(json.loads('{'))\n", tmp_path)
    assert [frame.is_folded for frame in told.frames] == [False, True]
    assert (told.frames[1].library, told.frames[1].folded) == ("json", 3)


def test_leaves_out_the_middle_of_an_endless_recursion(tmp_path: Path) -> None:
    told = report("def f(x):\n    return f(x + 1)\nf(0)\n", tmp_path)
    assert len([frame for frame in told.frames if not frame.is_folded]) == MOST_FRAMES
    assert sum(frame.folded for frame in told.frames) > 500


def test_leaves_out_the_middle_where_a_library_stands_between_the_calls(tmp_path: Path) -> None:
    told = report(
        """
        import torch
        class Tree(torch.nn.Module):
            def forward(self, x):
                return self(x)
        tree = Tree()
        tree(torch.zeros(2))
        """,
        tmp_path,
    )
    assert told.layer == "tree"
    assert sum(frame.is_folded for frame in told.frames) < 2 * MOST_FRAMES


def test_explains_the_cause_of_an_error(tmp_path: Path) -> None:
    told = report(
        """
        import torch
        try:
            torch.rand(3, 4) @ torch.rand(5, 6)
        except RuntimeError as error:
            raise ValueError("training failed") from error
        """,
        tmp_path,
    )
    assert told.kind == "ValueError"
    assert told.explanation is not None
    assert told.explanation.name == "matrix-shapes"


def test_an_error_of_the_programs_own_kind_needs_no_explanation(tmp_path: Path) -> None:
    told = report("class Own(Exception):\n    pass\nraise Own('x')\n", tmp_path)
    assert (told.kind, told.explanation) == ("Own", None)


def test_a_message_that_fails_itself_does_no_harm(tmp_path: Path) -> None:
    code = "class Own(Exception):\n    def __str__(self):\n        raise ValueError\nraise Own\n"
    assert report(code, tmp_path).kind == "Own"
