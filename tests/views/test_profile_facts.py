"""What a profile says in sentences."""

from stetho.profiling.records import MemoryUse
from stetho.views.profile_facts import loader_facts, memory_facts, step_facts
from tests.profiling.sample import PROFILE


def test_memory_that_grows_has_its_name_and_its_line() -> None:
    assert dict(memory_facts(PROFILE.memory))["grows"] == (
        "`losses` in main keeps 4 B, 1 tensor, 9 nodes of graphs more each step · train.py:9; "
        "keep `.item()` or `.detach()` of it instead"
    )


def test_a_process_that_grows_without_a_name_is_told() -> None:
    assert dict(memory_facts(MemoryUse(growth=2.0**20)))["grows"].startswith("the process, by 1.0 MiB a step")
    assert "grows" not in dict(memory_facts(MemoryUse()))


def test_the_loader_and_the_way_of_its_batches() -> None:
    assert [content for _, content in loader_facts(PROFILE)] == [
        "DataLoader, 2 workers, batch 8 · train.py:3",
        "a sample is 512 B, a batch 4.0 KiB",
        "[0]: float32[8, 128]",
        "from a worker: pickling 100 µs, unpickling 200 µs a batch",
    ]


def test_a_step_and_its_parts() -> None:
    assert dict(step_facts(PROFILE))["a step"] == "10 ms ± 1 ms · 100 steps/s"


def test_what_is_saved_is_not_told_where_it_was_not_measured() -> None:
    assert [label for label, _ in memory_facts(MemoryUse(parameters=4))] == ["memory"]
