"""Which checks run: by name, family or pattern; with which options; and what means nothing is an error."""

import pytest

from stetho.checks.declare import Check, check
from stetho.checks.settings import Settings, chosen_checks
from stetho.checks.window import Window
from stetho.config import make_options
from stetho.errors import UsageError


@check(severity="error", family="loss")
def double_softmax(
    window: Window, *, share: float = 0.5, steps: int = 3, strict: bool = False, kind: str = "any"
) -> None:
    """One."""


@check(severity="error", family="signal")
def vanishing_gradient(window: Window) -> None:
    """Two."""


@check(severity="error", family="signal", preview=True)
def exploding_gradient(window: Window) -> None:
    """Three."""


CHECKS = (double_softmax, vanishing_gradient, exploding_gradient)


def names(**settings: object) -> list[str]:
    return [check.name for check, _ in chosen_checks(CHECKS, Settings(**settings))]


def options_of(check: Check, **options: object) -> dict[str, object]:
    return dict(chosen_checks(CHECKS, Settings(options={check.name: options})))[check]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ["double-softmax", "vanishing-gradient"]),
        ({"preview": True}, ["double-softmax", "vanishing-gradient", "exploding-gradient"]),
        ({"select": ("loss",)}, ["double-softmax"]),
        ({"select": ("*-gradient",)}, ["vanishing-gradient"]),
        ({"select": ("*-gradient",), "preview": True}, ["vanishing-gradient", "exploding-gradient"]),
        ({"ignore": ("signal",), "preview": True}, ["double-softmax"]),
        ({"select": ("signal",), "ignore": ("vanishing-gradient",)}, []),
    ],
)
def test_select_ignore_and_preview(settings: dict[str, object], expected: list[str]) -> None:
    assert names(**settings) == expected


def test_a_preview_check_by_name_needs_preview() -> None:
    with pytest.raises(UsageError, match=r"`exploding-gradient` is a preview check, .*; add --preview"):
        names(select=("exploding-gradient",))


@pytest.mark.parametrize("where", ["select", "ignore"])
def test_a_pattern_that_fits_nothing_is_an_error_with_a_guess(where: str) -> None:
    with pytest.raises(UsageError, match="unknown check `double-sofmax`, did you mean `double-softmax`"):
        names(**{where: ("double-sofmax",)})


def test_options_take_the_type_of_their_default() -> None:
    given = options_of(double_softmax, share=1, steps=5, strict=True, kind="x")
    assert given == {"share": 1.0, "steps": 5, "strict": True, "kind": "x"}
    assert type(given["share"]) is float


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shares": 1.0}, r"unknown option `shares`, did you mean `share`\? Known: share, steps, strict, kind"),
        ({"share": "x"}, r"`share` \(='x'\) must be a number"),
        ({"steps": 1.5}, r"`steps` \(=1.5\) must be a whole number"),
        ({"steps": True}, r"`steps` \(=True\) must be a whole number"),
        ({"strict": 1}, r"`strict` \(=1\) must be true or false"),
        ({"kind": 1}, r"`kind` \(=1\) must be a text"),
    ],
)
def test_a_wrong_option_is_an_error_with_its_table(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message + r".*\[tool.stetho.checks.double-softmax\]"):
        options_of(double_softmax, **options)


def test_a_check_without_options_says_so() -> None:
    with pytest.raises(UsageError, match="unknown option `share`; this check has none"):
        options_of(vanishing_gradient, share=0.5)


def test_a_table_for_an_unknown_check_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"unknown check `dead-layer`; known: .*\[tool.stetho.checks.dead-layer\]"):
        chosen_checks(CHECKS, Settings(options={"dead-layer": {}}))


def test_settings_come_out_of_the_options_of_a_run() -> None:
    options = make_options(select="loss", preview=True, check_files="own.py", checks={"a": {"b": 1}})
    assert Settings.of(options) == Settings(("loss",), (), True, ("own.py",), {"a": {"b": 1}})
    assert Settings.of(make_options()) == Settings()
