"""What bounds a step, in words."""

import pytest

from stetho.profiling.records import Keeper, LineCost, LoaderCost, Measure, MemoryUse, OpCost, Trial, Verdict
from stetho.profiling.verdict import growing_words, judge

STEP = Measure(0.010)


def verdict(data: float = 0, before: float = 0, waiting: float = 0, operations: float = 0, **more: object) -> Verdict:
    return judge(STEP, data=data, before=before, waiting=waiting, operations=operations, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "bound"),
    [
        ({"data": 0.006, "operations": 0.003}, "input"),
        ({"before": 0.006, "operations": 0.003}, "input"),
        ({"waiting": 0.006, "operations": 0.003}, "waiting"),
        ({"data": 0.002, "operations": 0.007}, "compute"),
        ({"data": 0.001, "operations": 0.003}, "python"),
    ],
)
def test_the_largest_part_bounds(found: dict[str, float], bound: str) -> None:
    assert verdict(**found).bound == bound


def test_shares_are_of_the_step_and_add_up() -> None:
    shares = verdict(data=0.001, waiting=0.002, operations=0.003).shares
    assert shares == pytest.approx({"input": 0.1, "waiting": 0.2, "compute": 0.3, "python": 0.4})


def test_names_the_loader_and_the_line() -> None:
    loader = LoaderCost("DataLoader", "train.py:9", workers=0, batch_size=8)
    lines = [
        LineCost("train.py:20", "main", "loss.backward()", "backward", 0.004),
        LineCost("data.py:7", "__getitem__", "image = decode(path)", "data", 0.003),
    ]
    text = verdict(data=0.006, loader=loader, lines=lines).text
    assert "60 % of a step (6 of 10 ms)" in text
    assert "DataLoader in the program itself, without workers" in text
    assert text.endswith("most of it at data.py:7: image = decode(path)")


def test_names_the_dearest_operation() -> None:
    operation = OpCost("aten::mm", "backward", 3, Measure(0.004), Measure(0.005), layer="head")
    text = verdict(operations=0.009, dearest=operation).text
    assert text.endswith("the dearest is `mm` (40 %, backward, mostly of `head`)")


def test_own_code_before_the_model_is_where_batches_are_made() -> None:
    lines = [
        LineCost("train.py:20", "main", "loss.backward()", "backward", 0.004),
        LineCost("train.py:7", "batches", "yield make()", "", 0.003),
    ]
    assert verdict(before=0.006, lines=lines).text.endswith("most of it at train.py:7: yield make()")


def test_recommends_the_fastest_of_what_was_tried() -> None:
    trials = [
        Trial("as it is", 100, 800),
        Trial("num_workers=1", 130, 1040),
        Trial("num_workers=2", 200, 1600),
        Trial("batch_size=16", 90, 1440),
        Trial("batch_size=4", 300, 1200),
        Trial("autocast to bfloat16", 0, problem="RuntimeError: no"),
    ]
    speed, size = verdict(data=0.006, trials=trials).advice
    assert speed == "num_workers=2: 200 steps/s instead of 100 (2.00 ×), measured"
    assert size.startswith("batch_size=16: 1440 samples/s instead of 800 (1.80 ×), measured")


def test_says_so_when_nothing_helps() -> None:
    trials = [Trial("as it is", 100), Trial("num_workers=1", 105)]
    assert verdict(trials=trials).advice == ("nothing that was tried is more than 10 % faster",)
    assert verdict().advice == ()


TRAINING = LineCost("train.py:7", "main", "loss = criterion(model(x).float(), y)", "", 0.005)
READING = LineCost("train.py:9", "main", "seen.append(value.item())", "", 0.003)


@pytest.mark.parametrize("found", [{"before": 0.006, "operations": 0.002}, {"operations": 0.002}])
def test_many_values_read_one_by_one_are_synchronisation_and_no_input(found: dict[str, float]) -> None:
    said = verdict(**found, lines=[TRAINING, READING], reads={"train.py:9": 64.0})
    assert said.bound == "waiting"
    assert said.text == (
        "synchronisation bound: 64 times a step, a value is handed to Python, in 30 % of it (3 of 10 ms); "
        "most of it at train.py:9: seen.append(value.item())"
    )
    assert said.advice[0].startswith("keep values as tensors")


def test_one_loss_read_a_step_is_no_synchronisation() -> None:
    assert verdict(before=0.006, lines=[READING], reads={"train.py:9": 1.0}).bound == "input"


def test_waiting_is_told_at_the_line_that_reads_a_value() -> None:
    said = verdict(waiting=0.006, operations=0.003, lines=[TRAINING, READING], reads={"train.py:9": 1.0})
    assert said.text.startswith("synchronisation bound: in 60 % of a step")
    assert said.text.endswith("most of it at train.py:9: seen.append(value.item())")


def test_no_line_of_a_backward_pass_is_slow_for_its_python() -> None:
    backward = LineCost("train.py:8", "main", "loss.backward()", "backward", 0.007)
    forward = LineCost("net.py:3", "forward", "h = torch.tanh(h)", "forward", 0.002)
    said = verdict(operations=0.002, lines=[backward, forward])
    assert said.text.endswith("most of it at net.py:3: h = torch.tanh(h)")


def test_memory_that_grows_is_a_verdict_of_its_own() -> None:
    keeper = Keeper("losses", "", ("train.py:9",), 1.0, 2048.0, 3.0)
    assert verdict(operations=0.009, memory=MemoryUse(keepers=(keeper,))).growing == (
        "memory growing: `losses` keeps 2.0 KiB more each step, at train.py:9"
    )
    assert verdict(memory=MemoryUse(growth=3 * 2**20)).growing.endswith("no name of the program holds more")
    assert verdict(memory=MemoryUse()).growing == ""


def test_of_names_that_keep_the_same_the_one_with_a_line_is_told() -> None:
    outer, inner = Keeper("t", "", (), 1.0, 4.0, 4.0), Keeper("self.history", "", ("train.py:8",), 1.0, 4.0, 4.0)
    words = growing_words(MemoryUse(keepers=(outer, inner)))
    assert words == "memory growing: `self.history` keeps more tensors with their graphs each step, at train.py:8"
