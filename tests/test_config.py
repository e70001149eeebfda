"""Options: one table, three places to set them, one error for each mistake."""

from dataclasses import fields
from pathlib import Path

import pytest

from stetho.config import OPTIONS, Options, make_options, read_options, unknown_name
from stetho.errors import UsageError


def project(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_defaults_need_nothing() -> None:
    assert make_options() == Options()


def test_every_option_reads_its_own_default_unless_it_is_off() -> None:
    for name, option in OPTIONS.items():
        if option.default not in (None, ()):
            assert option.read(option.default) == option.default, name


def test_every_option_is_told_in_one_sentence() -> None:
    for option in OPTIONS.values():
        assert option.help[0].isupper(), option.name
        assert option.help.endswith("."), option.name
        assert ". " not in option.help, option.name


def test_every_field_is_in_the_table() -> None:
    assert list(OPTIONS) == [field.name for field in fields(Options)]


def test_flags_are_unique() -> None:
    flags = [flag for option in OPTIONS.values() for flag in option.flags]
    assert len(flags) == len(set(flags))


def test_the_project_file_wins_over_the_default_and_the_caller_over_both(tmp_path: Path) -> None:
    project(tmp_path, '[tool.stetho]\nbudget = "2%"\nevery = 7\nlayers = ["a", "b"]\nmemory = true\n')
    options = read_options({"every": "3"}, start=tmp_path)
    assert options == Options(budget=0.02, every=3, layers=("a", "b"), memory=True)


def test_the_nearest_project_file_counts_alone(tmp_path: Path) -> None:
    project(tmp_path, "[tool.stetho]\nevery = 7\n")
    inner = project(tmp_path / "inner", "[project]\nname = 'x'\n")
    deeper = inner / "deeper"
    deeper.mkdir()
    assert read_options({}, start=deeper) == Options()


def test_the_tables_of_checks_are_kept_for_the_checks(tmp_path: Path) -> None:
    project(tmp_path, "[tool.stetho]\nevery = 7\n[tool.stetho.checks.dead-relu]\nshare = 0.5\n")
    assert read_options({}, start=tmp_path) == Options(every=7, checks={"dead-relu": {"share": 0.5}})


@pytest.mark.parametrize("table", ["checks = 3", "[tool.stetho.checks]\ndead-relu = 3"])
def test_options_of_checks_are_tables(tmp_path: Path, table: str) -> None:
    project(tmp_path, f"[tool.stetho]\n{table}\n")
    with pytest.raises(UsageError, match=r"`checks` .* must be tables"):
        read_options({}, start=tmp_path)


def test_the_python_door_reads_no_project_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, "[tool.stetho]\nevery = 7\n")
    monkeypatch.chdir(tmp_path)
    assert make_options() == Options()


def test_an_unknown_option_lists_the_known_ones_and_a_close_one() -> None:
    with pytest.raises(UsageError, match=r"unknown option `evry`, did you mean `every`\? Known: every, budget, .*"):
        make_options(evry=3)


def test_an_unknown_key_of_the_project_file_names_the_file(tmp_path: Path) -> None:
    project(tmp_path, "[tool.stetho]\nzzz = 1\n")
    with pytest.raises(
        UsageError, match=r"unknown option `zzz`; known: every, .*; in \[tool.stetho\] of: .*pyproject.toml"
    ):
        read_options({}, start=tmp_path)


def test_what_was_typed_is_told_by_its_flag(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"`--break` \(='losss > 1'\) has an unknown name `losss`"):
        read_options({"break_at": ["losss > 1"]}, start=tmp_path)


def test_a_bad_value_shows_the_value_and_the_rule() -> None:
    with pytest.raises(UsageError, match=r"`budget` \(=5\) must be a share above 0 and up to 1, as in \"5%\" or 0.05"):
        make_options(budget=5)


def test_a_bad_value_of_the_project_file_names_the_file(tmp_path: Path) -> None:
    project(tmp_path, "[tool.stetho]\nmemory = 1\n")
    with pytest.raises(
        UsageError, match=r"`memory` \(=1\) must be true or false; in \[tool.stetho\] of: .*pyproject.toml"
    ):
        read_options({}, start=tmp_path)


def test_of_very_many_names_only_the_close_one_is_shown() -> None:
    names = [f"check-{number}" for number in range(90)]
    assert unknown_name("check", "chek-7", names) == "unknown check `chek-7`, did you mean `check-7`?"
    assert "check-89" in unknown_name("check", "zzz", names)


def test_a_name_far_from_all_gets_no_guess() -> None:
    assert unknown_name("option", "--zzz", ["--every"]) == "unknown option `--zzz`; known: --every"
