"""Faults in kinds of programs: adversarial, recurrent, geometric, functional, checkpointed, with loops of their own."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrizations
from torch.utils.checkpoint import checkpoint

from .numerics import X, Y, fault, mlp, steps


@fault("log", "loss", "log(0)")
def discriminator_that_is_sure():
    maker, judge = mlp(4, 4), mlp(4, 1)
    for_maker = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for_judge = torch.optim.Adam(judge.parameters(), lr=1e-3)
    for step in range(3):
        for_judge.zero_grad()
        false = judge(maker(X).detach()).sigmoid()
        (false.mean() - judge(X).sigmoid().mean()).backward()
        for_judge.step()
        for_maker.zero_grad()
        chance = (judge(maker(X)) + (1e3 if step == 2 else 0.0)).sigmoid()
        torch.log(1 - chance).mean().backward()  # born
        for_maker.step()


@fault("exp", "loss", "exp(")
def variance_of_a_variational_model():
    model = mlp(4, 4)

    def loss() -> Tensor:
        mean, log_variance = model(X).chunk(2, dim=1)
        spread = (log_variance.abs() * 1e5).exp()  # born
        return (mean.square() + spread - log_variance).mean()

    steps(model, loss)


class Pooling(nn.Module):
    """The mean of a sequence up to its length."""

    def __init__(self) -> None:
        super().__init__()
        self.out = nn.Linear(4, 2)

    def forward(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        inside = torch.arange(5)[None, :] < batch["lengths"][:, None]
        total = (batch["values"] * inside[..., None]).sum(1)
        return {"logits": self.out(total / inside.sum(1, keepdim=True))}  # born


@fault("div", "forward", "0 / 0", layer="Pooling")
def sequence_without_an_element():
    model = Pooling()
    batch = {"values": torch.ones(3, 5, 4), "lengths": torch.tensor([5, 0, 2])}
    steps(model, lambda: model(batch)["logits"].square().mean())


sequence_without_an_element.source = Pooling


@dataclass
class Normalised:
    """What a model of the next case gives."""

    hidden: Tensor
    spread: Tensor


class ByHand(nn.Module):
    """A normalisation of rows that forgets its eps."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Normalised:
        h = torch.relu(self.linear(x) - 100)
        spread = h.std(1, keepdim=True)
        return Normalised((h - h.mean(1, keepdim=True)) / spread, spread)  # born


@fault("div", "forward", "0 / 0", layer="ByHand")
def rows_that_are_all_zero():
    model = ByHand()
    steps(model, lambda: model(X).hidden.square().mean())


rows_that_are_all_zero.source = ByHand


@fault("sqrt", "backward", "gradient of sqrt")
def gradient_penalty_of_a_flat_model():
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    nn.init.constant_(model[0].bias, -100.0)

    def loss() -> Tensor:
        x = X.clone().requires_grad_()
        (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
        length = (slope.square().sum(1) + 0 * model(x).sum()).sqrt()  # born
        return ((length - 1) ** 2).mean()

    steps(model, loss)


@fault("exp", "loss", "exp(")
def contrast_at_a_low_temperature():
    model = mlp(4, 4)

    def loss() -> Tensor:
        z = functional.normalize(model(X), dim=1)
        alike = torch.exp(z @ z.T / 1e-3)  # born
        return -torch.log(alike.diagonal() / alike.sum(1)).mean()

    steps(model, loss)


@fault("div", "loss", "0 / 0")
def normal_of_a_flat_triangle():
    model = mlp(4, 3)

    def loss() -> Tensor:
        corner = model(X)
        normal = torch.linalg.cross(corner - corner.detach(), corner)
        return (normal / normal.norm(dim=1, keepdim=True)).sum()  # born

    steps(model, loss)


@fault("logit", "loss", "logit(1)")
def odds_of_a_sure_chance():
    model = mlp(4, 1)
    steps(model, lambda: torch.logit((model(X) + 100).sigmoid()).mean())  # born


@fault("prod", "loss", "prod")
def product_of_many():
    model = mlp(4, 64)
    steps(model, lambda: (model(X).abs() * 1e3 + 1e3).prod(1).mean())  # born


class Positions(nn.Module):
    """Weights that fall off with the distance, which is 0 at one place."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        weights = 1 / torch.arange(4, dtype=torch.float32)  # born
        return self.linear(x) * weights


@fault("reciprocal", "forward", "1 / 0", layer="Positions")
def distance_of_zero_in_a_constant():
    model = Positions()
    steps(model, lambda: model(X).mean())


distance_of_zero_in_a_constant.source = Positions


class Recurrent(nn.Module):
    """A recurrence without bounds."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        for _ in range(12):
            x = functional.linear(x, self.inner.weight * 1e4)  # born
        return x


@fault("mm", "forward", "matrix product", layer="Recurrent")
def recurrence_that_explodes():
    model = Recurrent()
    steps(model, lambda: model(X).mean())


recurrence_that_explodes.source = Recurrent


@fault("log", "loss", "log(0)")
def called_as_a_function_of_its_parameters():
    model = mlp()
    weights = {name: each.detach().clone().requires_grad_() for name, each in model.named_parameters()}
    optimizer = torch.optim.SGD(list(weights.values()), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        out = torch.func.functional_call(model, weights, (X,))
        (out * 0).log().mean().backward()  # born
        optimizer.step()


class Segmented(nn.Module):
    """A part of it is computed again in the backward pass."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 1)

    def _segment(self, x: Tensor) -> Tensor:
        return torch.log(torch.relu(self.first(x) - 50))  # born

    def forward(self, x: Tensor) -> Tensor:
        return self.second(checkpoint(self._segment, x, use_reentrant=False))


@fault("log", "forward", "log(0)", layer="Segmented")
def checkpointed_segment():
    model = Segmented()
    steps(model, lambda: model(X).mean())


checkpointed_segment.source = Segmented


@fault("div", "loss", " / 0")
def some_rows_changed_in_place():
    model = mlp()

    def loss() -> Tensor:
        out = model(X).clone()
        chosen = Y == 1
        out[chosen] = out[chosen] / (Y == 7).sum()  # born
        return out.mean()

    steps(model, loss)


@fault("log", "loss", "log(0)")
def optimizer_with_a_closure():
    model = mlp()
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = -(model(X) - 500).softmax(1).mul(0).log().mean()  # born
        loss.backward()
        return loss

    for _ in range(2):
        optimizer.step(closure)


@fault("weight_norm_interface", "forward", layer="linear.parametrizations.weight.0")
def weight_norm_of_zero_weights():
    class Normed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = parametrizations.weight_norm(nn.Linear(4, 2))

        def forward(self, x: Tensor) -> Tensor:
            return self.linear(x)  # born

    model = Normed()
    nn.init.zeros_(model.linear.parametrizations.weight.original1)
    steps(model, lambda: model(X).mean())


@fault("", "changed gradient")
def gradients_divided_by_their_norm():
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        (model(X) * 0).mean().backward()
        norm = torch.stack([each.grad.norm() for each in model.parameters()]).norm()
        for each in model.parameters():
            each.grad.div_(norm)  # born
        optimizer.step()


@fault("", "changed parameter")
def weights_averaged_over_no_steps():
    model, count = mlp(), 0
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    total = [torch.zeros_like(each) for each in model.parameters()]
    for _ in range(3):
        optimizer.zero_grad()
        model(X).square().mean().backward()
        optimizer.step()
        with torch.no_grad():
            for each, sum_of_it in zip(model.parameters(), total, strict=True):
                each.copy_(sum_of_it / count)  # born
