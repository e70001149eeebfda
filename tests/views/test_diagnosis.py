"""The diagnosis on the terminal, letter by letter for hand-made findings."""

import io
from pathlib import Path

import pytest

from stetho.findings.finding import Finding, Severity, Steps, Where
from stetho.findings.verdict import Skipped, Verdict
from stetho.views.diagnosis import diagnosis_lines, live_line, print_diagnosis

CLEAR = tuple(f"check-{number}" for number in range(71))
SYMPTOMS = (
    Finding("loss-plateau", "warning", 0.9, "the loss is 1.38 from step 40 to 400"),
    Finding("vanishing-gradient", "warning", 0.8, "gradient of `fc1.weight` is 1e-09 of the weight"),
    Finding("vanishing-gradient", "warning", 0.8, "gradient of `fc2.weight` is 1e-09 of the weight"),
)


def cause(**changes: object) -> Finding:
    given: dict[str, object] = {
        "check": "double-softmax",
        "severity": "error",
        "confidence": 0.98,
        "title": "`cross_entropy` is given rows that sum to 1, so softmax is applied twice",
        "where": Where("head", None, str(Path.cwd() / "train.py"), 31),
        "steps": Steps(1, 400, 400),
        "evidence": {"row_sum": 1.0, "loss": [4.0, 3.0, 2.0, 1.0], "op": "Softmax"},
        "try_next": "Give the logits to `cross_entropy`.",
        "symptoms": SYMPTOMS,
    }
    return Finding(**given | changes)  # type: ignore[arg-type]


def drawn(verdict: Verdict, width: int = 80) -> str:
    return "\n".join("".join(piece for piece, _ in line) for line in diagnosis_lines(verdict, width))


def test_a_cause_with_all_that_belongs_to_it() -> None:
    assert (
        drawn(Verdict((cause(),), (), CLEAR))
        == """\
diagnosis · 1 error · 71 checks clear

  error   `cross_entropy` is given rows that sum to 1, so softmax is applied
          twice
          train.py:31 · head
          double-softmax · steps 1 to 400 · 98 % sure
          evidence  row sum 1 · op Softmax
                    loss 4 → 1  █▆▃▁
          explains  loss-plateau: the loss is 1.38 from step 40 to 400
                    vanishing-gradient: gradient of `fc1.weight` is 1e-09 of the
                    weight (and 1 more)
          try       Give the logits to `cross_entropy`.

`stetho explain double-softmax` tells more about the first."""
    )


def test_nothing_wrong_is_one_line() -> None:
    assert drawn(Verdict((), (), CLEAR)) == "diagnosis · nothing wrong · 71 checks clear"


def test_an_error_of_the_program_is_not_nothing() -> None:
    assert drawn(Verdict((), (), CLEAR, after_error=True)) == "diagnosis · nothing else wrong · 71 checks clear"


def test_why_checks_were_skipped_is_told() -> None:
    skipped = [*(Skipped(name, "no eval pass was recorded") for name in "abc"), Skipped("d", "fewer than 20 steps")]
    assert drawn(Verdict((), tuple(skipped), CLEAR), 200) == (
        "diagnosis · nothing wrong · 71 checks clear, 4 skipped: no eval pass was recorded (3); fewer than 20 steps"
    )


def test_a_check_that_failed_is_always_named() -> None:
    skipped = [*(Skipped(name, f"reason {name}") for name in "abcdefg"), Skipped("broken", "failed: KeyError: 'x'")]
    line = drawn(Verdict((), tuple(skipped), CLEAR), 300)
    assert line.endswith("8 skipped: broken failed: KeyError: 'x'; reason a; reason b; reason c; …")


def test_findings_of_one_check_are_folded() -> None:
    alike = [cause(where=Where(f"blocks.{number}.relu"), symptoms=(), evidence={}) for number in range(7)]
    text = drawn(Verdict(tuple(alike)), 100)
    assert "also      blocks.1.relu, blocks.2.relu, blocks.3.relu, blocks.4.relu, and 2 more" in text
    assert text.count("double-softmax ·") == 1
    assert text.startswith("diagnosis · 1 error · 0 checks clear")


def test_findings_of_one_check_without_a_subject_are_told_by_title() -> None:
    alike = [cause(title=f"fault {number}", where=Where(), symptoms=()) for number in range(3)]
    text = drawn(Verdict(tuple(alike)))
    assert "also      fault 1\n                    fault 2\n" in text


def test_a_finding_that_knows_little_takes_little_room() -> None:
    bare = Finding("loss-plateau", "warning", 0.5, "the loss is 2.3")
    assert (
        drawn(Verdict((bare,)))
        == """\
diagnosis · 1 warning · 0 checks clear

  warning the loss is 2.3
          loss-plateau · 50 % sure

`stetho explain loss-plateau` tells more about the first."""
    )


def test_notes_are_single_lines_and_no_alarm() -> None:
    notes = tuple(Finding(f"note-{number}", "note", 0.5, f"note {number}") for number in range(7))
    text = drawn(Verdict(notes, (), CLEAR))
    assert text.startswith("diagnosis · nothing wrong · 71 checks clear\n\n  note    note 0 · note-0\n")
    assert text.endswith("  note    note 4 · note-4\n          and 2 more notes")


def test_after_five_causes_one_line_is_enough_for_each() -> None:
    many = tuple(cause(check=f"fault-{number}", title=f"fault {number}", symptoms=()) for number in range(7))
    text = drawn(Verdict(many))
    assert text.startswith("diagnosis · 7 errors · ")
    assert "\n\n  error   fault 5 · fault-5 · train.py:31\n  error   fault 6 · fault-6 · train.py:31\n\n" in text
    assert text.count("98 % sure") == 5


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_lines_fit(width: int) -> None:
    verdict = Verdict((cause(), cause(check="other", severity="warning")), (Skipped("a", "no eval pass " * 9),), CLEAR)
    assert max(map(len, drawn(verdict, width).splitlines())) <= width


def test_what_a_terminal_would_obey_is_taken_out() -> None:
    evil = cause(title="red \x1b[31m\nline", where=Where("\x1b]0;x"), evidence={"a": "\x07"}, try_next="\x1b[2J")
    assert not {"\x1b", "\x07"} & set(drawn(Verdict((evil,))))


def test_a_pipe_gets_no_colour_and_no_folding() -> None:
    stream = io.StringIO()
    print_diagnosis(Verdict((cause(title="long " * 60),), (), CLEAR), stream)
    assert "\x1b" not in stream.getvalue()
    assert max(map(len, stream.getvalue().splitlines())) > 250


def test_colour_is_there_when_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = io.StringIO()
    print_diagnosis(Verdict((cause(),), (), CLEAR), stream)
    assert "\x1b[" in stream.getvalue()


@pytest.mark.parametrize("severity", ["error", "warning"])
def test_a_finding_on_one_line(severity: Severity) -> None:
    line = live_line(cause(severity=severity, title="rows sum\nto 1"))
    assert line == f"{severity} · rows sum to 1 · train.py:31 · double-softmax"
