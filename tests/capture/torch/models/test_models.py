"""Names of layers and parameters: those of `named_modules()` and `named_parameters()`, without prefixes of wrappers."""

import pytest
import torch
from torch import nn
from torch.nn.parallel import DataParallel
from torch.nn.utils import prune

from stetho.capture.guard import Guard
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.models.models import Models, describe, unwrapped

from ..conftest import batch, mlp, names, sgd, train


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Block()
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.encoder(x))


@pytest.fixture
def models():
    return Models(Ancestry(Guard(lambda *_: None)))


def layers(model):
    return {layer.name for layer in model.layers.values()}


def weights(model):
    return [weight.name for weight in model.weights.values()]


def test_names_are_those_of_the_framework(models):
    net = Net()
    model = models.adopt(net)
    assert layers(model) == {name for name, _ in net.named_modules()}
    assert sorted(weights(model)) == sorted(name for name, _ in net.named_parameters())


@pytest.mark.parametrize(
    "wrap",
    [
        lambda net: torch.compile(net, backend="eager"),
        DataParallel,
        lambda net: DataParallel(torch.compile(net, backend="eager")),
        lambda net: torch.compile(DataParallel(net), backend="eager"),
    ],
)
def test_wrappers_leave_no_prefix(models, wrap):
    net = Net()
    wrapper = wrap(net)
    model = models.adopt(wrapper)
    assert layers(model) == {name for name, _ in net.named_modules()}
    assert set(weights(model)) == {name for name, _ in net.named_parameters()}
    assert model.wrapper == type(wrapper).__name__
    assert unwrapped(wrapper) is net
    assert models.entry(wrapper) is models.layer(net)


def test_a_wrapped_part_of_a_model_leaves_no_prefix_either(models):
    net = Net()
    net.encoder = torch.compile(net.encoder, backend="eager")
    assert "encoder.layers.0" in layers(models.adopt(net))
    assert "encoder.scale" in weights(models.adopt(net))


def test_a_model_that_is_wrapped_later_stays_the_same_model(models):
    net = Net()
    first = models.adopt(net)
    assert models.adopt(DataParallel(net)) is first
    assert len(models.all) == 1
    assert layers(first) == {name for name, _ in net.named_modules()}


def test_a_model_that_becomes_a_part_of_another_takes_its_names_from_there(models):
    body, head = Block(), nn.Linear(4, 2)
    first, second = models.adopt(body), models.adopt(head)
    whole = nn.ModuleDict({"body": body, "head": head})
    assert models.adopt(whole) is first
    assert (first.label, second.ref()) == ("ModuleDict", None)
    assert layers(first) == {name for name, _ in whole.named_modules()}
    assert weights(first) == [name for name, _ in whole.named_parameters()]
    assert (layers(second), weights(second)) == (set(), [])
    assert models.weight(head.weight).also == []


def test_a_layer_that_two_models_share_stays_with_the_first(models):
    shared = nn.Linear(4, 4)
    one, two = nn.ModuleDict({"a": shared}), nn.ModuleDict({"b": shared, "c": nn.Linear(4, 4)})
    first, second = models.adopt(one), models.adopt(two)
    kept = models.layer(shared)
    for model in (first, second, first):
        models.refresh(model)
    assert models.layer(shared) is kept
    assert (kept.name, kept.model) == ("a", first.id)
    assert models.weight(shared.weight).name == "a.weight"
    assert "c.weight" in weights(second)


def test_a_layer_that_moves_to_another_model_goes_with_it(models):
    one, two = mlp(), nn.ModuleDict()
    models.adopt(one)
    moved = one[2]
    one[2] = nn.Identity()
    two["head"] = moved
    models.adopt(two)
    assert models.layer(moved).name == "head"


def test_a_model_is_known_by_itself_and_by_its_parts(models):
    net = Net()
    model = models.adopt(net)
    assert models.adopt(net) is model
    assert models.layer(net.head).name == "head"
    assert models.weight(net.head.weight).name == "head.weight"
    assert models.layer(nn.Linear(1, 1)) is None
    assert models.weight(torch.ones(1)) is None


def test_layers_that_were_added_or_replaced_are_found_when_looked_for_again(models):
    net = Net()
    model = models.adopt(net)
    net.head = nn.Linear(4, 3)
    net.extra = nn.Linear(3, 3)
    models.refresh(model)
    assert models.layer(net.head).name == "head"
    assert models.weight(net.extra.bias).name == "extra.bias"


def test_a_tied_parameter_has_its_first_name_and_says_the_other(models):
    net = mlp()
    net[2].weight = nn.Parameter(torch.ones(2, 3))
    net.add_module("3", nn.Linear(3, 2))
    net[3].weight = net[2].weight
    model = models.adopt(net)
    weight = models.weight(net[3].weight)
    assert (weight.name, weight.also) == ("2.weight", ["3.weight"])
    assert weights(model).count("3.weight") == 0


def test_a_parameter_that_gets_another_name_is_the_one_that_was_reached_before(models):
    layer = nn.Linear(2, 2)
    model = models.adopt(layer)
    models.weight(layer.weight).reached = True
    prune.l1_unstructured(layer, "weight", 0.5)
    models.refresh(model)
    assert {weight.name: weight.reached for weight in model.weights.values()} == {"weight_orig": True, "bias": False}


def test_models_of_one_class_are_told_apart(models):
    assert [models.adopt(Net()).label for _ in range(3)] == ["Net", "Net#2", "Net#3"]


def test_a_model_of_plain_layers_is_called_what_the_program_calls_it(record):
    def program():
        generator = mlp()
        optimizer = torch.optim.SGD(generator.parameters(), lr=0.1)
        generator(batch()[0]).sum().backward()
        optimizer.step()

    assert record(program).model["models"][0]["label"] == "generator"


def test_loose_parameters_of_one_name_are_told_apart(models):
    first, second, third = torch.ones(1), torch.ones(2), torch.ones(3)
    models.adopt_loose([("w", first), (None, second)])
    models.adopt_loose([("w", third), ("w", first)])
    assert [models.weight(one).name for one in (first, second, third)] == ["w", "parameter0", "w0"]


def test_a_layer_that_is_not_registered_is_named_by_its_class_and_line(record):
    class Hiding(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(4, 2)
            self.hidden = [nn.Linear(4, 4)]

        def forward(self, x):
            return self.head(self.hidden[0](x))

    def program():
        model = Hiding()
        train(model, sgd(model), 2)

    run = record(program)
    (name,) = set(names(run)) - {"", "head"}
    assert name.startswith("Linear@test_models.py:")
    assert run.values("act.calls", name)[1].tolist() == [1, 1]
    (layer,) = [one for one in run.model["models"][0]["layers"] if one["name"] == name]
    assert (layer["registered"], layer["class"]) == (False, "Linear")


def test_layers_created_in_every_pass_are_one_layer(record):
    class Creating(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(4, 2)

        def forward(self, x):
            return self.head(nn.Linear(4, 4)(x))

    model = Creating()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 5), model, optimizer)
    (name,) = set(names(run)) - {"", "head"}
    assert run.values("act.calls", name)[0].tolist() == [1, 2, 3, 4, 5]
    assert len(run.model["models"][0]["layers"]) == 3


def test_lazy_parameters_do_no_harm(record):
    model = nn.Sequential(nn.LazyLinear(3), nn.LazyLinear(2))

    def program():
        model(batch()[0])
        train(model, sgd(model), 1)

    run = record(program, model)
    assert {one["name"]: one["shape"] for one in run.model["models"][0]["parameters"]}["0.weight"] == [3, 4]


def test_a_tensor_in_few_characters():
    assert describe(torch.zeros(2, 3, dtype=torch.bfloat16)) == "bfloat16[2, 3]"
    assert describe(torch.tensor(1)) == "int64[]"


def test_a_module_of_several_names_has_its_first_and_says_the_others(models):
    block = nn.Linear(4, 4)
    net = nn.ModuleDict({"blocks": nn.ModuleList([block] * 3), "again": block, "head": nn.Linear(4, 2)})
    model = models.adopt(net)
    assert models.layer(block).also == ["blocks.1", "blocks.2", "again"]
    assert models.layer(net["head"]).also == []
    del net["again"]
    models.refresh(model)
    assert models.layer(block).also == ["blocks.1", "blocks.2"]


@pytest.mark.parametrize(("same", "expected"), [(True, [True, False]), (False, [False, False])])
def test_a_module_that_is_given_one_tensor_under_two_names_says_so(record, same, expected):
    class Towers(nn.Module):
        def __init__(self):
            super().__init__()
            self.left = nn.Sequential(nn.Linear(4, 2))
            self.right = self.left

        def forward(self, x):
            return self.left(x) + self.right(x if same else x * 2)

    model = Towers()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 2), model, optimizer)
    facts = {one["name"]: one for one in run.model["models"][0]["layers"]}
    assert facts["left"]["also"] == ["right"]
    assert [facts["left"]["given_twice"], facts["left.0"]["given_twice"]] == expected
