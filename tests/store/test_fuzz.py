"""Whatever is done to the files of a run, reading it works or says so in one `StethoError`."""

import shutil
import tempfile
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stetho.errors import RunDamaged, RunError, StethoError
from stetho.store.export import export_run
from stetho.store.format import MEASURES, RUN_FILE, TABLES
from stetho.store.reader import Run, open_run

from .conftest import LAYOUTS, SERIES

EXAMPLES = 100


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """The files of a few runs that, together, have every kind of file."""
    runs = [LAYOUTS[name](tmp_path_factory.mktemp("runs")) for name in ("segments and tails", "one segment")]
    return [
        {str(path.relative_to(run.path)): path.read_bytes() for path in sorted(run.path.rglob("*")) if path.is_file()}
        for run in runs
    ]


def read_everything(folder: Path) -> None:
    """Use each way of reading, and touch what comes out of it."""
    run = open_run(folder)
    ways: list[Callable[[], object]] = [
        lambda: (repr(run), run.name, run.ranks, run.state),
        lambda: (run.model, run.notes, run.series),
        lambda: run.tensors(3),
        lambda: run.query("select step, name, rms from stats").to_pylist(),
        lambda: [run.step(step).to_pylist() for step in (1, 12, 23)],
        lambda: export_run(run, "csv", folder / "export", force=True),
        *(lambda table=table: run.table(table).to_pylist() for table in TABLES),
        *(lambda measure=measure: read_values(run, measure) for measure in MEASURES),
    ]
    for way in ways:
        with suppress(StethoError):
            way()


def read_values(run: Run, measure: str) -> None:
    for one in SERIES:
        steps, values = run.values(f"{one.role}.{measure}", one.name, model=one.model, phase=one.phase)
        assert len(steps) == len(values)


@st.composite
def damage(draw: st.DrawFn) -> Callable[[bytes], bytes | None]:
    """One way of spoiling the content of a file; None takes it away."""
    kind = draw(st.sampled_from(["cut", "flip", "flip", "flip", "garbage", "insert", "remove", "empty"]))
    place = draw(st.floats(0, 1, exclude_max=True))
    if kind == "cut":
        return lambda content: content[: int(place * len(content))]
    if kind == "flip":
        flips = draw(
            st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(1, 255)), min_size=1, max_size=8)
        )
        return lambda content: flip(content, flips)
    if kind == "garbage":
        junk = draw(st.binary(min_size=1, max_size=300))
        return lambda _content: junk
    if kind == "insert":
        junk = draw(st.binary(min_size=1, max_size=16))
        return lambda content: content[: int(place * len(content))] + junk + content[int(place * len(content)) :]
    return lambda _content: None if kind == "remove" else b""


def flip(content: bytes, flips: list[tuple[float, int]]) -> bytes:
    changed = bytearray(content)
    for place, mask in flips:
        if changed:
            changed[int(place * len(changed))] ^= mask
    return bytes(changed)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), change=damage(), which=st.integers(0, 1))
def test_a_spoiled_file_is_one_clear_error_or_none(
    originals: list[dict[str, bytes]], data: st.DataObject, change: Callable[[bytes], bytes | None], which: int
) -> None:
    files = originals[which]
    spoiled = data.draw(st.sampled_from(sorted(files)))
    folder = Path(tempfile.mkdtemp(prefix="stetho-fuzz-"))
    try:
        for name, content in files.items():
            kept = change(content) if name == spoiled else content
            if kept is not None:
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_bytes(kept)
        if (folder / RUN_FILE).exists():
            # Only run.json can keep a run from opening at all.
            with suppress(RunError) if spoiled == RUN_FILE else nullcontext():
                read_everything(folder)
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["stats", "steps", "notes.jsonl", "model.json", "series.jsonl", "stats/tail.arrows"])
def test_a_folder_where_a_file_should_be_or_the_other_way_round_is_damage(
    in_layout: Callable[[str], object], name: str
) -> None:
    path = in_layout("segments and tails").path  # type: ignore[attr-defined]
    if (path / name).is_dir():
        shutil.rmtree(path / name)
        (path / name).write_text("a file")
    else:
        (path / name).unlink()
        (path / name).mkdir()
    run = open_run(path)
    with pytest.raises(RunDamaged, match=name.split("/")[0]):
        _ = (run.table("stats"), run.table("steps"), run.notes, run.model, run.series)
