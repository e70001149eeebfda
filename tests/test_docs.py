"""The documentation holds: links lead somewhere, every page is in the site, every command and every example runs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
WITH_CODE = [page for page in PAGES if re.search(r"^ *```(sh|python)$", page.read_text(encoding="utf-8"), re.MULTILINE)]

RUN_PAGE = ROOT / "tests" / "docs" / "run_page.py"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The names that a Markdown renderer gives to the headings of a page."""
    headings = re.findall(r"^#+ +(.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{link}: no such heading"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=page_id)
def test_every_page_is_in_the_site(page: Path) -> None:
    listed = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert page.relative_to(DOCS).as_posix() in listed


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse folds help texts otherwise in other versions")
def test_the_generated_reference_is_fresh() -> None:
    done = subprocess.run([sys.executable, DOCS / "generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_reader_of_code_blocks_keeps_its_own_examples() -> None:
    subprocess.run([sys.executable, "-m", "doctest", RUN_PAGE], check=True)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a training program, `train.py`, and one run of it."""
    folder = tmp_path_factory.mktemp("recorded")
    shutil.copy(ROOT / "tests" / "docs" / "train.py", folder)
    subprocess.run([sys.executable, "-m", "stetho", "run", "--quiet", "train.py"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("page", WITH_CODE, ids=page_id)
def test_commands_and_examples_run(page: Path, recorded: Path, tmp_path: Path) -> None:
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, RUN_PAGE, page],
        cwd=tmp_path,
        env=os.environ | {"PATH": search},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
