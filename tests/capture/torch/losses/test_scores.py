"""Scores: right answers are counted as the loss call tells, and summed up as scikit-learn would."""

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from ..conftest import column, sgd


class Fixed(nn.Module):
    """Says what it is told, with a parameter so that it can be trained."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, said):
        return said * self.scale


@pytest.fixture
def model():
    return Fixed()


@pytest.fixture
def optimizer(model):
    return sgd(model, lr=0.0)


def one_step(model, optimizer, said, loss):
    def program():
        loss(model(said)).backward()
        optimizer.step()

    return program


def facts(run):
    (row,) = run.table("batches").to_pylist()
    return {key: row[key] for key in ("correct", "counted", "label_counts")}


def one_hot(*answers, classes=3):
    return functional.one_hot(torch.tensor(answers), classes).float()


def test_classes_are_counted(record, model, optimizer):
    right = torch.tensor([0, 1, 1, 2])
    program = one_step(model, optimizer, one_hot(0, 1, 2, 2), lambda said: functional.cross_entropy(said, right))
    run = record(program, model, optimizer)
    assert facts(run) == {"correct": 3, "counted": 4, "label_counts": [1, 2, 1]}
    assert column(run, "accuracy") == [0.75]


def test_ignored_labels_do_not_count(record, model, optimizer):
    right = torch.tensor([0, -100, 1, -100])
    program = one_step(model, optimizer, one_hot(0, 1, 2, 2), lambda said: functional.cross_entropy(said, right))
    assert facts(record(program, model, optimizer)) == {"correct": 1, "counted": 2, "label_counts": [1, 1, 0]}


@pytest.mark.parametrize("by_keyword", [True, False])
def test_the_label_to_ignore_can_be_chosen(record, model, optimizer, by_keyword):
    right = torch.tensor([0, 1, 2, 2])

    def loss(said):
        if by_keyword:
            return functional.cross_entropy(said, right, ignore_index=2)
        return functional.cross_entropy(said, right, None, None, 2)

    program = one_step(model, optimizer, one_hot(0, 0, 2, 2), loss)
    assert facts(record(program, model, optimizer)) == {"correct": 1, "counted": 2, "label_counts": [1, 1, 0]}


def test_what_the_loss_ignores_in_sequences_does_not_count_in_a_comparison_by_hand(record, model, optimizer):
    said, right = one_hot(0, 1, 2, 2, 1, 1).reshape(2, 3, 3), torch.tensor([[0, 2, 2], [0, 1, 2]])

    def program():
        functional.cross_entropy(model(said).flatten(0, 1), right.flatten(), ignore_index=2).backward()
        optimizer.step()
        with torch.no_grad():
            assert (model(said).argmax(-1) == right).sum() == 3

    run = record(program, model, optimizer)
    rows = run.table("batches").to_pylist()
    assert [(row["phase"], row["correct"], row["counted"]) for row in rows] == [("train", 2, 3), ("eval", 2, 3)]


def test_a_batch_in_which_everything_is_ignored_has_no_accuracy(record, model, optimizer):
    right = torch.full((2,), -100)
    program = one_step(
        model, optimizer, one_hot(0, 1), lambda said: functional.cross_entropy(said, right, reduction="sum")
    )
    run = record(program, model, optimizer)
    assert facts(run) == {"correct": 0, "counted": 0, "label_counts": None}
    assert column(run, "accuracy") == [None]
    assert run.info["metrics"].get("train", {}) == {}


def test_pixels_and_tokens_count_one_by_one(record, model, optimizer):
    said = one_hot(0, 1, 2, 0, 1, 2).reshape(2, 3, 3).movedim(2, 1)
    right = torch.tensor([[0, 1, 1], [0, 1, 1]])
    program = one_step(model, optimizer, said, lambda output: functional.cross_entropy(output, right))
    assert facts(record(program, model, optimizer)) == {"correct": 4, "counted": 6, "label_counts": [2, 4, 0]}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("is_side_by_side", [True, False])
def test_answers_are_the_same_however_scores_lie_in_memory(record, model, optimizer, dtype, is_side_by_side):
    said = torch.tensor([[1.0, 1.0, 0.0], [0.0, 2.0, 2.0], [7.0, 2.0, 7.0], [-1.0, -3.0, -2.0]], dtype=dtype)
    lying = said if is_side_by_side else said.t().contiguous().t()
    program = one_step(model, optimizer, lying, lambda output: functional.cross_entropy(output, said.argmax(1)))
    assert facts(record(program, model, optimizer)) == {"correct": 4, "counted": 4, "label_counts": [3, 1, 0]}


def test_a_single_sample_without_a_batch_axis_counts(record, model, optimizer):
    program = one_step(model, optimizer, one_hot(1)[0], lambda said: functional.cross_entropy(said, torch.tensor(1)))
    assert facts(record(program, model, optimizer)) == {"correct": 1, "counted": 1, "label_counts": [0, 1, 0]}


def test_of_probabilities_as_targets_the_largest_is_right(record, model, optimizer):
    right = torch.tensor([[0.8, 0.1, 0.1], [0.2, 0.2, 0.6]])
    program = one_step(model, optimizer, one_hot(0, 1), lambda said: functional.cross_entropy(said, right))
    assert facts(record(program, model, optimizer)) == {"correct": 1, "counted": 2, "label_counts": [1, 0, 1]}


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        ("binary_cross_entropy_with_logits", [2.0, -1.0, 0.1, -3.0]),
        ("binary_cross_entropy", [0.9, 0.2, 0.6, 0.1]),
    ],
)
def test_yes_and_no_are_counted(record, model, optimizer, loss, said):
    right = torch.tensor([1.0, 0.0, 0.0, 1.0])
    program = one_step(model, optimizer, torch.tensor(said), lambda output: getattr(functional, loss)(output, right))
    assert facts(record(program, model, optimizer)) == {"correct": 2, "counted": 4, "label_counts": [2, 2]}


def test_regression_has_no_right_answers(record, model, optimizer):
    program = one_step(model, optimizer, torch.ones(3), lambda said: functional.mse_loss(said, torch.zeros(3)))
    run = record(program, model, optimizer)
    assert facts(run) == {"correct": None, "counted": None, "label_counts": None}
    assert run.info["metrics"] == {}


def test_many_classes_are_counted_without_a_table_of_confusions(record, model, optimizer):
    right = torch.tensor([5, 2999])
    said = torch.zeros(2, 3000)
    said[0, 5] = 1
    program = one_step(model, optimizer, said, lambda output: functional.cross_entropy(output, right))
    run = record(program, model, optimizer)
    assert facts(run) == {"correct": 1, "counted": 2, "label_counts": None}
    assert column(run, "accuracy") == [0.5]


def evaluate(model, said, right, size):
    model.eval()
    with torch.no_grad():
        for start in range(0, len(said), size):
            functional.cross_entropy(model(said[start : start + size]), right[start : start + size])
    model.train()


@pytest.fixture
def answers():
    noise = torch.Generator().manual_seed(0)
    return torch.randn(50, 4, generator=noise), torch.randint(0, 4, (50,), generator=noise)


def expected(said, right):
    pairs = right.numpy(), said.argmax(1).numpy()
    return {
        "accuracy": accuracy_score(*pairs),
        "precision": precision_score(*pairs, average="macro", zero_division=0),
        "recall": recall_score(*pairs, average="macro", zero_division=0),
        "f1": f1_score(*pairs, average="macro", zero_division=0),
    }


def test_an_evaluation_is_summed_up_over_all_its_batches(record, model, optimizer, answers):
    said, right = answers

    def program():
        functional.cross_entropy(model(said), right).backward()
        optimizer.step()
        evaluate(model, said, right, 20)

    run = record(program, model, optimizer)
    found = run.info["metrics"]["eval"]
    assert found == pytest.approx(
        expected(said, right) | {"loss": functional.cross_entropy(said, right).item()}, rel=1e-5
    )
    rows = {(row["phase"], row["name"]): (row["step"], row["value"]) for row in run.table("metrics").to_pylist()}
    assert rows[("eval", "accuracy")] == (1, pytest.approx(found["accuracy"]))
    assert rows[("eval", "loss")] == (1, pytest.approx(found["loss"]))


def test_the_last_evaluation_is_the_one_that_is_kept(record, model, optimizer, answers):
    said, right = answers

    def program():
        for part in (slice(0, 20), slice(20, 50)):
            functional.cross_entropy(model(said), right).backward()
            optimizer.step()
            evaluate(model, said[part], right[part], 10)

    run = record(program, model, optimizer)
    assert run.info["metrics"]["eval"]["f1"] == pytest.approx(expected(said[20:], right[20:])["f1"])
    assert column(run, "step", "metrics") == [1, 1, 2, 2]


def test_passes_without_a_loss_do_not_wipe_out_the_last_evaluation(record, model, optimizer, answers):
    said, right = answers

    def program():
        functional.cross_entropy(model(said), right).backward()
        optimizer.step()
        evaluate(model, said, right, 50)
        functional.cross_entropy(model(said), right).backward()
        optimizer.step()
        with torch.no_grad():
            model(said)

    assert record(program, model, optimizer).info["metrics"]["eval"] == pytest.approx(
        expected(said, right) | {"loss": functional.cross_entropy(said, right).item()}, rel=1e-5
    )


@pytest.mark.parametrize("tier", ["cheap", "clock"])
def test_an_evaluation_counts_whatever_the_tier_of_the_step(record, model, optimizer, answers, monkeypatch, tier):
    said, right = answers
    monkeypatch.setattr("stetho.capture.budget.Budget.choose", lambda _, step: "full" if step == 1 else tier)

    def program():
        for is_last in (False, True):
            functional.cross_entropy(model(said), right).backward()
            optimizer.step()
            if not is_last:
                evaluate(model, said, right, 25)

    run = record(program, model, optimizer)
    assert run.info["metrics"]["eval"]["accuracy"] == pytest.approx(expected(said, right)["accuracy"])
    assert column(run, "phase", "batches").count("train") == (2 if tier == "cheap" else 1)


@pytest.mark.parametrize("size", [10, 50])
def test_scores_of_the_training_are_those_of_the_whole_last_epoch(record, model, optimizer, answers, size):
    said, right = answers

    def program():
        for _ in range(2):
            for x, y in DataLoader(TensorDataset(said, right), batch_size=size):
                functional.cross_entropy(model(x), y).backward()
                optimizer.step()

    run = record(program, model, optimizer)
    assert run.info["metrics"]["train"] == pytest.approx(expected(said, right), rel=1e-6)
    assert np.sum(column(run, "label_counts", "batches")) == 100
