"""The programs of the zoo are what their headers say."""

from collections import Counter

import pytest

from stetho.checks import CATALOG
from zoo.programs import all_programs, read_program

PROGRAMS = all_programs()
FAULTY = [program for program in PROGRAMS if program.fault is not None]
CHECKS = {check.name for check in CATALOG}


@pytest.mark.parametrize("program", FAULTY, ids=lambda program: program.name)
def test_a_faulty_program_names_checks_that_exist_and_a_line_of_its_own(program):
    lines = program.path.read_text().splitlines()
    assert {program.fault, *program.also} <= CHECKS
    assert program.name.startswith(f"{program.fault}__")
    assert all(lines[line - 1].strip() for line in program.lines)


def test_every_check_has_at_least_two_faulty_programs():
    planted = Counter(program.fault for program in FAULTY)
    assert sorted(name for name in CHECKS if planted[name] < 2) == []


def test_there_are_enough_healthy_programs_and_a_third_is_kept_aside():
    healthy = [program for program in PROGRAMS if program.fault is None]
    assert len(healthy) >= 40
    aside = sum(program.split == "test" for program in PROGRAMS)
    assert 0.25 * len(PROGRAMS) < aside < 0.45 * len(PROGRAMS)


def test_a_header_without_a_fault_is_an_error(tmp_path):
    folder = tmp_path / "faulty"
    folder.mkdir()
    (folder / "x.py").write_text('"""A program."""\n')
    with pytest.raises(ValueError, match="say `fault:` in their header"):
        read_program(folder / "x.py")
    (folder / "x.py").write_text('"""A program.\n\nfault: graph-cut\nsplit: dev\n"""\n')
    with pytest.raises(ValueError, match="split is 'dev'"):
        read_program(folder / "x.py")


def test_a_fault_may_be_mended_at_several_lines(tmp_path):
    folder = tmp_path / "faulty"
    folder.mkdir()
    (folder / "x.py").write_text('"""A program.\n\nfault: graph-cut\nline: 7, 3\n"""\n')
    assert read_program(folder / "x.py").lines == (7, 3)
    (folder / "x.py").write_text('"""A program.\n\nfault: graph-cut\nline:\n"""\n')
    assert read_program(folder / "x.py").lines == ()
