"""Trainings with a value that is no number, of every birth place."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from .numerics import X, Y, fault, mlp, steps


class Wrapped(nn.Module):
    """A net whose output a function changes, as a line of some model would."""

    def __init__(self, change) -> None:
        super().__init__()
        self.body = mlp()
        self.change = change

    def forward(self, x: Tensor) -> Tensor:
        return self.change(self.body(x))


# ---- in a model's forward pass


@fault("log", "forward", "log(0)", layer="Wrapped")
def log_of_zero():
    model = Wrapped(lambda h: torch.log(torch.relu(h)))  # born
    steps(model, lambda: model(X).mean())


@fault("log", "forward", "log(-")
def log_of_a_negative_number():
    model = Wrapped(lambda h: torch.log(h))  # born
    steps(model, lambda: model(X).mean())


@fault("div", "forward", "0 / 0")
def zero_by_zero():
    model = Wrapped(lambda h: torch.relu(-h.abs()) / torch.relu(-h.abs()))  # born
    steps(model, lambda: model(X).sum())


@fault("div", "forward", "/ 0")
def normalised_by_a_sum_of_zero():
    model = Wrapped(lambda h: h / (h - h).sum(1, keepdim=True))  # born
    steps(model, lambda: model(X).square().mean())


@fault("sqrt", "forward", "sqrt(-")
def root_of_a_negative_number():
    model = Wrapped(lambda h: torch.sqrt(h))  # born
    steps(model, lambda: model(X).mean())


@fault("rsqrt", "forward", "rsqrt(0)")
def reciprocal_root_of_zero():
    model = Wrapped(lambda h: torch.rsqrt((h - h).var(1, correction=0)))  # born
    steps(model, lambda: model(X).mean())


@fault("exp", "forward", "exp(")
def exponential_overflows():
    model = Wrapped(lambda h: torch.exp(h.abs() * 1000))  # born
    steps(model, lambda: model(X).mean())


@fault("pow", "forward", "0 **")
def negative_power_of_zero():
    model = Wrapped(lambda h: (h - h) ** -1.5)  # born
    steps(model, lambda: model(X).mean())


@fault("pow", "forward", "** 0.3")
def fractional_power_of_a_negative_number():
    model = Wrapped(lambda h: (-h.abs()) ** 0.3)  # born
    steps(model, lambda: model(X).mean())


@fault("acos", "forward", "acos(")
def angle_of_a_cosine_above_one():
    model = Wrapped(lambda h: torch.acos(1.001 + h.abs()))  # born
    steps(model, lambda: model(X).mean())


@fault("softmax", "forward", "-inf")
def softmax_of_a_masked_row():
    hidden = torch.zeros(6, 3, dtype=torch.bool)
    hidden[2] = True
    model = Wrapped(lambda h: h.masked_fill(hidden, float("-inf")).softmax(1))  # born
    steps(model, lambda: model(X).square().mean())


@fault("mean", "forward", "0 values")
def mean_of_an_empty_selection():
    model = Wrapped(lambda h: h + h[h > 1e9].mean())  # born
    steps(model, lambda: model(X).square().mean())


@fault("std", "forward", "1 value")
def deviation_of_one_sample():
    model = Wrapped(lambda h: h / h.std(0))  # born
    steps(model, lambda: model(X[:1]).square().mean())


@fault("to_copy", "forward", "float16")
def conversion_to_half_overflows():
    model = Wrapped(lambda h: (h.abs() * 1e6 + 1e5).half().float())  # born
    steps(model, lambda: model(X).mean())


@fault("mul", "forward")
def squares_again_and_again():
    def grow(h: Tensor) -> Tensor:
        for _ in range(9):
            h = (h + 3) * (h + 3)  # born
        return h

    model = Wrapped(grow)
    steps(model, lambda: model(X).mean())


@fault("log", "forward", "log(0)")
def log_in_place():
    model = Wrapped(lambda h: (h * 0).log_())  # born
    steps(model, lambda: model(X).mean())


@fault("reciprocal", "forward", "1 / 0")
def reciprocal_of_zero():
    model = Wrapped(lambda h: torch.relu(h).reciprocal())  # born
    steps(model, lambda: model(X).mean())


class Attention(nn.Module):
    """One head that masks by a number it adds."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(4, 4) for _ in range(3))

    def forward(self, x: Tensor, hidden: Tensor) -> dict[str, Tensor]:
        scores = self.query(x) @ self.key(x).T
        scores = scores + torch.zeros_like(scores).masked_fill(hidden, float("-inf"))
        weights = functional.softmax(scores, dim=-1)  # born
        return {"output": weights @ self.value(x), "weights": weights}


@fault("softmax", "forward", "-inf", layer="Attention")
def attention_that_may_look_nowhere():
    model = Attention()
    hidden = torch.eye(6, dtype=torch.bool)
    hidden[4] = True
    steps(model, lambda: model(X, hidden)["output"].square().mean())


attention_that_may_look_nowhere.source = Attention.forward


@dataclass
class Output:
    """What a model gives back."""

    mean: Tensor
    spread: Tensor


class Gaussian(nn.Module):
    """Gives back a dataclass."""

    def __init__(self) -> None:
        super().__init__()
        self.mean, self.spread = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Output:
        return Output(self.mean(x), torch.relu(self.spread(x)))


@fault("log", "loss", "log(0)")
def likelihood_with_a_spread_of_zero():
    model, target = Gaussian(), X[:, :2]

    def loss() -> Tensor:
        out = model(X)
        return (torch.log(out.spread) + (target - out.mean).square()).mean()  # born

    steps(model, loss)


class Doubled(torch.autograd.Function):
    """A function with a derivative of its own, which is wrong at 0."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.abs().sqrt()

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return gradient / (x - x)  # born


@fault("doubled", "backward", "/ 0")
def own_backward_divides_by_zero():
    model = Wrapped(Doubled.apply)
    steps(model, lambda: model(X).mean())


own_backward_divides_by_zero.source = Doubled.backward


@fault("doubled", "backward", "/ 0")
def own_backward_outside_of_modules():
    model = mlp()
    steps(model, lambda: Doubled.apply(model(X)).mean())


own_backward_outside_of_modules.source = Doubled.backward


# ---- in a loss outside of any module


@fault("log", "loss", "log(0)")
def cross_entropy_by_hand():
    model = mlp()

    def loss() -> Tensor:
        chances = torch.softmax(model(X) * 1e4, 1)
        return -chances[range(6), Y].log().mean()  # born

    steps(model, loss)


@fault("log", "loss", "log(0)")
def zero_times_log_of_zero():
    model = mlp()

    def loss() -> Tensor:
        chances = torch.softmax(model(X) * 1e4, 1)
        return -(functional.one_hot(Y, 3) * chances.log()).sum(1).mean()  # born

    steps(model, loss)


@fault("div", "loss", "/ 0")
def weighted_by_empty_weights():
    model, weights = mlp(), torch.zeros(6)

    def loss() -> Tensor:
        each = functional.cross_entropy(model(X), Y, reduction="none")
        return (each * weights).sum() / weights.sum()  # born

    steps(model, loss)


@fault("mean", "loss", "0 values")
def mean_over_no_samples():
    model = mlp()
    steps(model, lambda: functional.cross_entropy(model(X), Y, reduction="none")[Y > 5].mean())  # born


@fault("nll_loss_forward", "loss")
def every_target_ignored():
    model, target = mlp(), torch.full((6,), -100)
    steps(model, lambda: functional.cross_entropy(model(X), target))  # born


@fault("exp", "loss", "exp(")
def poisson_overflows():
    model, count = mlp(4, 1), torch.ones(6, 1)

    def loss() -> Tensor:
        rate = model(X).abs() * 500
        return (torch.exp(rate) - count * rate).mean()  # born

    steps(model, loss)


@fault("log", "loss", "log(")
def cosine_as_a_chance():
    model = mlp()

    def loss() -> Tensor:
        alike = functional.cosine_similarity(model(X), model(X.flip(0)))
        return -torch.log(alike - 1.1).mean()  # born

    steps(model, loss)


@fault("div", "loss", "/ 0")
def standardised_returns_of_one_kind():
    model, gains = mlp(), torch.ones(6)

    def loss() -> Tensor:
        chances = model(X).log_softmax(1)[range(6), Y]
        advantage = (gains - gains.mean()) / gains.std()  # born
        return -(chances * advantage).mean()

    steps(model, loss)


# ---- in the backward pass


@fault("sqrt", "backward", "/ 0", trigger="gradient")
def distance_of_zero():
    model = mlp(4, 4)

    def loss() -> Tensor:
        out = model(X)
        return torch.sqrt((out - out.detach()).pow(2).sum(1)).mean()  # born

    steps(model, loss)


@fault("sqrt", "backward", "0 / 0", trigger="gradient")
def root_behind_where():
    model = mlp()

    def loss() -> Tensor:
        apart = model(X) * 0
        root = torch.sqrt(apart)  # born
        return torch.where(apart > 0, root, torch.zeros_like(root)).mean()

    steps(model, loss)


@fault("pow", "backward", trigger="gradient")
def power_of_one_half_at_zero():
    model = mlp()
    steps(model, lambda: ((model(X) * 0) ** 0.5).mean())  # born


@fault("acos", "backward", trigger="gradient")
def angle_between_equal_vectors():
    model = mlp(4, 4)

    def loss() -> Tensor:
        out = functional.normalize(model(X))
        return torch.acos((out * 0 + 1).clamp(-1, 1)).mean()  # born

    steps(model, loss)


@fault("exp", "loss", "exp(", trigger="gradient")
def exponential_behind_where():
    model = mlp()

    def loss() -> Tensor:
        out = model(X).abs() * 1000 + 200
        return torch.where(out > 1, out, torch.exp(out)).mean() * 1e-3  # born

    steps(model, loss)


@fault("sqrt", "backward", "/ 0", layer="Wrapped", trigger="gradient")
def root_of_zero_inside_of_the_model():
    model = Wrapped(lambda h: torch.sqrt(torch.relu(h) * 0))  # born
    steps(model, lambda: model(X).mean())


@fault("linalg_eigh", "backward", trigger="gradient")
def eigenvectors_of_the_unit_matrix():
    model = mlp(4, 4)

    def loss() -> Tensor:
        out = model(X[:4])
        matrix = (out + out.T) * 0 + torch.tensor([1.0, 1.0, 2.0, 3.0]).diag()
        return torch.linalg.eigh(matrix)[1].pow(3).sum()  # born

    steps(model, loss, count=1)


# ---- data, buffers, parameters, optimizers


@fault("", "data")
def missing_value_in_the_input():
    model, x = mlp(), X.clone()
    x[3, 1] = float("nan")
    steps(model, lambda: functional.cross_entropy(model(x), Y))  # born


@fault("", "data")
def missing_value_in_the_target():
    model, target = mlp(4, 1), X[:, :1].clone()
    target[5] = float("nan")
    steps(model, lambda: functional.mse_loss(model(X), target))  # born


@fault("", "data")
def infinite_input():
    model, x = mlp(), X.clone()
    x[2, 0] = float("inf")
    steps(model, lambda: functional.cross_entropy(model(x), Y))  # born


@fault("", "data")
def minus_infinity_that_no_mask_is():
    model, x = mlp(), X.clone()
    x[2, 0] = float("-inf")
    steps(model, lambda: functional.cross_entropy(model(x.clamp_min(-9)), Y) + 0 * x.sum())  # born


@fault("", "buffer")
def buffer_divided_by_zero():
    model = mlp()
    model.register_buffer("scale", torch.tensor(float("nan")))
    model.append(Scaled(model.scale))
    steps(model, lambda: model(X).mean())


class Running(nn.Module):
    """Multiplies by an average over all batches."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            share = (x - x).sum() / (x - x).abs().max()  # born
            self.scale.mul_(0.9).add_(0.1 * share)
        return x * self.scale


@fault("div", "forward", "0 / 0", layer="3")
def average_in_a_buffer_divided_by_zero():
    model = mlp().append(Running())
    steps(model, lambda: model(X).mean())


average_in_a_buffer_divided_by_zero.source = Running.forward


class Counted(nn.Module):
    """Divides by the number of calls before this one, which it carries in a buffer, or in an attribute."""

    def __init__(self, *, as_buffer: bool) -> None:
        super().__init__()
        self.body, self.calls, self.as_buffer = mlp(), 0, as_buffer
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        self.count += 1
        before = self.count - 1 if self.as_buffer else torch.tensor(self.calls - 1.0)
        return self.body(x) / before  # born


@fault("div", "forward", "/ 0")
def divided_by_a_count_in_a_buffer():
    model = Counted(as_buffer=True)
    steps(model, lambda: model(X).square().mean())


@fault("div", "forward", "/ 0")
def divided_by_a_count_in_an_attribute():
    model = Counted(as_buffer=False)
    steps(model, lambda: model(X).square().mean())


divided_by_a_count_in_a_buffer.source = divided_by_a_count_in_an_attribute.source = Counted.forward


class Scaled(nn.Module):
    """Multiplies by a buffer."""

    def __init__(self, scale: Tensor) -> None:
        super().__init__()
        self.register_buffer("scale", scale)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale  # born


buffer_divided_by_zero.source = Scaled.forward


@fault("", "initial")
def parameter_never_initialised():
    model = mlp()
    with torch.no_grad():
        model[0].weight[1, 2] = float("nan")
    steps(model, lambda: model(X).mean())  # born


@fault("Adam", "optimizer", "sqrt(0)")
def adam_without_eps():
    model = mlp()
    dead = nn.Linear(4, 3)
    optimizer = torch.optim.Adam([*model.parameters(), *dead.parameters()], eps=0.0)
    both = nn.ModuleList([model, dead])

    def loss() -> Tensor:
        return functional.cross_entropy(both[0](X) + 0 * both[1](X), Y)

    steps(both, loss, optimizer=optimizer)


@fault("Adam", "optimizer", "sqrt(0)")
def rows_of_a_table_that_are_looked_up_later():
    table, head = nn.Embedding(18, 4), nn.Linear(4, 3)
    parameters, shift = [*table.parameters(), *head.parameters()], iter(range(0, 9, 3))
    optimizer = torch.optim.Adam(parameters, eps=0.0)
    steps(head, lambda: functional.cross_entropy(head(table(Y + next(shift))), Y), optimizer=optimizer)


@fault("SGD", "optimizer", "lr = ")
def learning_rate_is_infinite():
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=float("inf"))
    steps(model, lambda: functional.cross_entropy(model(X), Y), optimizer=optimizer)


@fault("SGD", "optimizer", "SGD update")
def update_overflows():
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e38)
    steps(model, lambda: functional.cross_entropy(model(X), Y) * 1e4, optimizer=optimizer)


for program in (
    adam_without_eps,
    rows_of_a_table_that_are_looked_up_later,
    learning_rate_is_infinite,
    update_overflows,
):
    program.source = steps


# ---- other shapes of programs


@fault("log", "loss", "log(0)")
def no_module_at_all():
    weight = torch.randn(4, 3, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.01)
    for step in range(4):
        optimizer.zero_grad()
        chances = (X @ weight).softmax(1) if step < 2 else (X @ weight * 1e4).softmax(1)
        loss = -chances[range(6), Y].log().mean()  # born
        loss.backward()
        optimizer.step()


@fault("log", "loss", "log(0)")
def second_of_three_accumulated_batches():
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(2):
        optimizer.zero_grad()
        for factor in (1.0, 1e4, 1.0):
            chances = (model(X) * factor).softmax(1)
            loss = -chances[range(6), Y].log().mean() / 3  # born
            loss.backward()
        optimizer.step()


@fault("log", "forward", "log(0)")
def half_precision_underflows():
    model = Wrapped(lambda h: torch.log((h.abs() * 1e-9).half()).float())  # born
    steps(model, lambda: model(X).mean())


@fault("log", "loss", "log(0)")
def mixed_precision():
    model = mlp()

    def loss() -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = model(X)
            return -torch.log(torch.sigmoid(-out.abs() * 1e3)).mean()  # born

    steps(model, loss)


@fault("sqrt", "forward", "sqrt(-", layer="Wrapped")
def compiled_model():
    model = Wrapped(lambda h: (h - 9).sqrt())  # born
    compiled = torch.compile(model, backend="eager")
    steps(model, lambda: compiled(X).mean())


@fault("log", "loss", "log(0)")
def after_a_compiled_model():
    model = mlp()
    compiled = torch.compile(model, backend="eager")
    steps(model, lambda: torch.log(compiled(X) * 0).mean())  # born


@fault("div", "loss", "0 / 0")
def inside_of_a_compiled_loss():
    model = mlp()

    def ratio(out: Tensor) -> Tensor:
        centred = out - out.detach()
        return (centred / centred.sum()).mean()  # born

    compiled, loss = torch.compile(model, backend="eager"), torch.compile(ratio, backend="eager")
    steps(model, lambda: loss(compiled(X)))


@fault("sqrt", "backward", "gradient of sqrt")
def gradient_of_a_compiled_criterion():
    class Distance(nn.Module):
        def forward(self, out: Tensor) -> Tensor:
            return torch.sqrt((out - out.detach()) ** 2).sum()  # born

    model = mlp()
    criterion = torch.compile(Distance(), backend="eager")
    steps(model, lambda: criterion(model(X)))


@fault("log", "loss", "log(0j)")
def complex_numbers():
    model = mlp(4, 4)

    def loss() -> Tensor:
        spectrum = torch.fft.fft(model(X) * 0)
        return torch.log(spectrum).abs().mean()  # born

    steps(model, loss)


@fault("log", "loss", "log(0)")
def inside_a_mode_of_the_program():
    model = mlp()

    def loss() -> Tensor:
        with torch.device("cpu"):
            out = model(X)
        return -(out * 1e4).softmax(1)[range(6), Y].log().mean()  # born

    steps(model, loss)


@fault("div", "forward", "/ 0", layer="body.norm")
def normalisation_layer_without_eps():
    model = nn.Sequential()
    model.body = nn.Sequential()
    model.body.first = nn.Linear(4, 4)
    model.body.cut = nn.Threshold(1e9, 0.0)
    model.body.norm = UnitVariance()
    steps(model, lambda: model(X).square().mean())


class UnitVariance(nn.Module):
    """Divides by the deviation."""

    def forward(self, x: Tensor) -> Tensor:
        spread = x.square().mean(1, keepdim=True).sqrt()
        return x / spread  # born


normalisation_layer_without_eps.source = UnitVariance.forward


@fault("log", "forward", "log(0)", layer="1")
def layer_of_a_sequence():
    model = nn.Sequential(nn.Linear(4, 8), LogRelu(), nn.Linear(8, 2))
    steps(model, lambda: model(X).mean())


class LogRelu(nn.Module):
    """A layer of the program's own."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x).log()  # born


layer_of_a_sequence.source = LogRelu.forward
