"""Forward passes: which calls are followed, in which phase, and that hooks come and go with the measuring."""

import copy
import threading

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.parametrizations import weight_norm
from torch.utils.checkpoint import checkpoint

import stetho
from stetho.store.reader import open_run

from ..conftest import batch, column, evaluate, global_hooks, mlp, names, sgd, stat, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def test_training_and_evaluation_are_kept_apart(record, model, optimizer):
    def program():
        train(model, optimizer, 2)
        evaluate(model, 3)

    run = record(program, model, optimizer)
    assert names(run) == names(run, phase="eval") == ["0", "1", "2", ""]
    assert run.values("act.rms", "0")[0].tolist() == [1, 2]
    assert run.values("act.rms", "0", phase="eval")[0].tolist() == [2]
    assert names(run, "act_grad", "eval") == []


def test_of_an_evaluation_the_first_batch_is_measured_and_all_are_counted(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        evaluate(model, 3)
        train(model, optimizer, 1)
        evaluate(model, 3)

    run = record(program, model, optimizer)
    assert run.values("act.calls", "0", phase="eval")[1].tolist() == [1, 1]
    assert column(run, "phase", "batches").count("eval") == 6


def test_eval_mode_with_a_backward_pass_is_training(record, model, optimizer):
    def program():
        model.eval()
        train(model, optimizer, 2, size=7)

    run = record(program, model, optimizer)
    assert names(run, phase="eval") == []
    assert run.values("act.rms", "0")[0].tolist() == [1, 2]
    assert run.values("act_grad.rms", "0")[0].tolist() == [1, 2]
    assert column(run, "phase", "batches") == ["train", "train"]
    assert column(run, "step", "batches") == [1, 2]
    assert column(run, "training", "batches") == [False, False]
    assert column(run, "batch_size") == [7, 7]


def test_eval_mode_with_gradients_on_and_no_backward_pass_is_evaluation(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        model.eval()
        model(batch()[0])
        model.train()
        train(model, optimizer, 1)

    run = record(program, model, optimizer)
    assert column(run, "phase", "batches") == ["train", "eval", "train"]
    assert names(run, phase="eval") == names(run)


def test_train_mode_without_gradients_is_evaluation(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        with torch.no_grad():
            model(batch()[0])

    run = record(program, model, optimizer)
    assert column(run, "phase", "batches") == ["train", "eval"]
    assert column(run, "training", "batches") == [True, True]
    assert column(run, "grad", "batches") == [True, False]


def test_inference_mode_is_evaluation(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        with torch.inference_mode():
            model(batch()[0])

    assert column(record(program, model, optimizer), "phase", "batches") == ["train", "eval"]


def test_a_teacher_in_the_middle_of_a_step_takes_nothing_of_it_along(record, model, optimizer):
    teacher = mlp()

    def program():
        for _ in range(2):
            x, _ = batch()
            optimizer.zero_grad()
            said = model(x)
            with torch.no_grad():
                right = teacher(x)
            functional.mse_loss(said, right).backward()
            optimizer.step()

    run = record(program, model, optimizer)
    assert run.values("act.rms", "0")[0].tolist() == [1, 2]
    assert run.values("act.calls", "0")[1].tolist() == [1, 1]
    assert run.values("act.rms", "0", model=1, phase="eval")[0].tolist() == [0, 1]
    assert column(run, "phase", "batches") == ["train", "train"]
    assert column(run, "loss_call", "batches") == ["mse_loss"] * 2


def test_forward_passes_are_counted_and_named_in_the_order_of_the_step(record, model, optimizer):
    def program():
        optimizer.zero_grad()
        (model(batch()[0]).sum() + model(batch()[0]).sum()).backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "forwards") == [2]
    assert column(run, "order") == ["zero_grad forward forward backward step"]
    assert stat(run, "act.calls", "0") == 2
    assert stat(run, "act.count", "0") == 2 * 5 * 3


def test_several_calls_of_a_layer_are_put_together(record):
    class Repeated(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = nn.Linear(4, 4)

        def forward(self, x):
            for _ in range(3):
                x = self.cell(x)
            return x

    model = Repeated()
    optimizer = sgd(model)

    def program():
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert (stat(run, "act.calls", "cell"), stat(run, "act.count", "cell")) == (3, 24)
    assert stat(run, "act_grad.calls", "cell") == 3


def test_a_part_of_the_model_that_is_called_directly_is_a_pass_of_the_same_model(record):
    model = mlp()
    optimizer = sgd(model)

    def program():
        model[2](torch.tanh(model[0](batch()[0]))).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert names(run) == ["0", "2"]
    assert len(run.model["models"]) == 1
    assert column(run, "forwards") == [2]


def test_models_are_found_without_being_given(record):
    def program():
        model = mlp()
        train(model, sgd(model), 2)

    run = record(program)
    assert names(run) == ["0", "1", "2", ""]
    assert run.info["steps"] == 2


def test_a_new_model_at_the_address_of_an_old_one_is_followed_too(record):
    def program():
        for _ in range(6):
            model = mlp()
            train(model, sgd(model), 2)
            del model

    run = record(program)
    assert [(one["id"], one["class"], one["trained"]) for one in run.model["models"]] == [
        (number, "Sequential", True) for number in range(6)
    ]
    assert all(names(run, model=model) == ["0", "1", "2", ""] for model in range(6))
    assert column(run, "forwards") == [1] * 12


def test_calls_in_other_threads_are_none_of_ours(record, model, optimizer):
    other = mlp()

    def program():
        train(model, optimizer, 1)
        thread = threading.Thread(target=other, args=(batch()[0],))
        thread.start()
        thread.join()
        train(model, optimizer, 1)

    run = record(program, model, optimizer)
    assert {one.model for one in run.series} == {0}
    assert column(run, "forwards") == [1, 1]


def test_recomputation_in_the_backward_pass_is_not_counted_again(record, model, optimizer):
    def program():
        x = batch()[0].requires_grad_()
        checkpoint(model, x, use_reentrant=False).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "forwards") == [1]
    assert stat(run, "act.calls", "0") == 1


@pytest.mark.filterwarnings("ignore:.*torch.jit.trace.*:DeprecationWarning")
def test_tracing_and_function_transforms_are_none_of_ours(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        torch.jit.trace(model, torch.ones(1, 4), check_trace=False)
        torch.vmap(lambda x: model(x))(torch.ones(3, 1, 4))

    run = record(program, model, optimizer)
    assert column(run, "phase", "batches") == ["train"]


def test_a_pass_that_raises_is_over(record):
    class Choosy(nn.Linear):
        def forward(self, x):
            if x.shape[0] == 1:
                raise ValueError("too small")
            return super().forward(x)

    model = Choosy(4, 2)
    optimizer = sgd(model)

    def program():
        with pytest.raises(ValueError, match="too small"):
            model(torch.ones(1, 4))
        train(model, optimizer, 2)

    run = record(program, model, optimizer)
    assert run.values("act.calls", "")[1].tolist() == [1, 1]


def test_arguments_by_keyword_are_seen(record):
    class Keyword(nn.Linear):
        def forward(self, *, x, scale=1.0):
            return super().forward(x) * scale

    model = Keyword(4, 2)
    optimizer = sgd(model)

    def program():
        model(x=torch.ones(6, 4), scale=2.0).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "batch_size") == [6]
    assert column(run, "shape", "batches") == [[6, 4]]


def test_hooks_on_every_layer_are_there_only_while_they_are_needed(tmp_path, model, optimizer):
    seen = []
    with stetho.watch(model, optimizer, every=3, out=tmp_path):
        for _ in range(4):
            native = getattr(nn.Module.__call__, "armed", False)
            seen.append(bool(native or torch.nn.modules.module._global_forward_hooks))
            train(model, optimizer, 1)
    assert seen == [True, False, False, True]
    assert global_hooks() == []
    assert not model._forward_hooks
    assert not model._forward_pre_hooks


def test_a_watch_that_is_stopped_in_the_middle_of_a_pass_does_not_disturb_it(tmp_path):
    class Stopping(nn.Linear):
        def forward(self, x):
            watch.stop()
            return super().forward(x)

    model = nn.Sequential(nn.Linear(4, 4), Stopping(4, 2))
    optimizer = sgd(model)
    watch = stetho.watch(model, optimizer, out=tmp_path)
    train(model, optimizer, 2)
    assert watch.path is None or open_run(watch.path).info["capture_error"] is None
    assert not model._forward_hooks


def test_a_module_is_left_as_it_was(tmp_path, model, optimizer):
    before = {name: sorted(vars(layer)) for name, layer in model.named_modules()}
    with stetho.watch(model, optimizer, out=tmp_path):
        train(model, optimizer)
    assert {name: sorted(vars(layer)) for name, layer in model.named_modules()} == before


@pytest.mark.filterwarnings("ignore:.*nested tensors.*:UserWarning")
def test_the_ragged_tensors_of_a_transformer_in_evaluation_do_no_harm(record):
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    model = nn.TransformerEncoder(layer, 2)
    optimizer = sgd(model)
    mask = torch.tensor([[False, False, True], [False, False, False]])

    def program():
        model(torch.randn(2, 3, 8), src_key_padding_mask=mask).mean().backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            model(torch.randn(2, 3, 8), src_key_padding_mask=mask)

    run = record(program, model, optimizer)
    assert "" in names(run, phase="eval")


def test_inputs_without_dense_values_do_no_harm(record):
    class Graph(nn.Linear):
        def forward(self, adjacency, x):
            return torch.sparse.mm(adjacency, super().forward(x))

    model = Graph(4, 2)
    optimizer = sgd(model)

    def program():
        model(torch.eye(3).to_sparse(), torch.ones(3, 4)).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "shape", "batches") == [[3, 3]]
    assert column(run, "hash", "batches") == [None]


def test_a_model_without_values_does_no_harm(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        copy.deepcopy(model).to("meta")(torch.ones(3, 4, device="meta"))
        train(model, optimizer, 1)

    run = record(program, model, optimizer)
    assert column(run, "forwards") == [1, 2]
    assert {one.model for one in run.series} == {0}


def test_a_weight_that_is_computed_when_it_is_read_is_no_model(record, model, optimizer):
    def program():
        layer = weight_norm(nn.Linear(4, 4))
        layer.weight.norm()
        train(model, optimizer, 2)

    run = record(program, model, optimizer)
    assert column(run, "phase", "batches") == ["train", "train"]
    assert [each["class"] for each in run.model["models"]] == ["Sequential"]
