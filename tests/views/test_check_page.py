"""The page of a check, on the terminal and as Markdown."""

import io

from stetho.checks.declare import check
from stetho.checks.figures import Figures
from stetho.checks.window import Window
from stetho.views.check_page import page_lines, page_markdown, print_page


@check(severity="error", family="loss", explains=("loss-plateau",), preview=True)
def double_softmax(window: Window, *, share: float = 0.9, strict: bool = True, kind: str = "any") -> None:
    """Softmax applied twice.

    ## What it finds
    Rows that sum to one, given to a function that applies softmax itself. It looks at each of the
    calls, and takes `share` of them.

    - one point
    - another point

    ## Why it matters
    Gradients get small.
    ## What to try
    Take one out.
    ## When it is wrong
    Never.
    ## Options
    - `share`: how many of the calls
      have to agree
    """


FIGURES = Figures(0.98, 0.9, 12)


def drawn(width: int) -> str:
    return "\n".join("".join(piece for piece, _ in line) for line in page_lines(double_softmax, FIGURES, width))


def test_the_page_on_the_terminal() -> None:
    assert (
        drawn(60)
        == """\
double-softmax
Softmax applied twice.
error, family loss, preview, measured on 12 programs:
precision 98 %, recall 90 %

What it finds
  Rows that sum to one, given to a function that applies
  softmax itself. It looks at each of the calls, and takes
  `share` of them.
  - one point
  - another point

Why it matters
  Gradients get small.

What to try
  Take one out.

When it is wrong
  Never.

Options
  - `share = 0.9`: how many of the calls have to agree
  - `strict = true`
  - `kind = "any"`

Explains
  `loss-plateau`"""
    )


def test_lines_fit() -> None:
    assert max(map(len, drawn(40).splitlines())) <= 40


def test_the_page_as_markdown() -> None:
    page = page_markdown(double_softmax, None)
    assert page.startswith("### double-softmax\n\nSoftmax applied twice.\n\n*error, family loss, preview*\n\n")
    assert "**What to try.** Take one out." in page
    assert "**Options.**\n\n- `share = 0.9`: how many of the calls have to agree\n- `strict = true`" in page


def test_a_pipe_gets_plain_text() -> None:
    stream = io.StringIO()
    print_page(double_softmax, None, stream)
    assert "\x1b" not in stream.getvalue()
    assert "measured" not in stream.getvalue()
