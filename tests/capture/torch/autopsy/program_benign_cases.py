"""Kinds of programs in which infinities, or NaN, are as they should be."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .numerics import X, Y, benign, mlp, steps

INF = float("inf")


@benign
def policy_with_forbidden_actions():
    model = mlp()
    forbidden = torch.tensor([False, False, True])

    def loss() -> Tensor:
        policy = torch.distributions.Categorical(logits=model(X).masked_fill(forbidden, -INF))
        return -policy.log_prob(Y.clamp(max=1)).mean() - 0.01 * policy.entropy().mean()

    steps(model, loss)


@benign
def softmax_by_hand_with_a_mask():
    model = mlp()

    def loss() -> Tensor:
        scores = model(X).masked_fill(torch.tensor([False, True, False]), -INF)
        weights = (scores - scores.amax(1, keepdim=True)).exp()
        return (weights / weights.sum(1, keepdim=True)).square().mean()

    steps(model, loss)


@benign
def gradient_norm_without_a_limit():
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        functional.cross_entropy(model(X), Y).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=INF)
        optimizer.step()


@benign
def branch_that_nobody_uses():
    class Two(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = mlp()

        def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
            out = self.body(x)
            return out, (out.detach() * 0).log()

    model = Two()
    steps(model, lambda: functional.cross_entropy(model(X)[0], Y))


@benign
def nearest_neighbours_without_oneself():
    model = mlp()

    def loss() -> Tensor:
        away = torch.cdist(model(X), model(X) + 1e-3).masked_fill(torch.eye(6, dtype=torch.bool), INF)
        return away.topk(2, dim=1, largest=False).values.mean()

    steps(model, loss)


@benign
def least_of_each_group():
    model = mlp()

    def loss() -> Tensor:
        least = torch.full((3,), INF).scatter_reduce(0, Y, model(X).sum(1), "amin")
        return least.square().mean()

    steps(model, loss)


@benign
def sums_in_the_logarithmic_domain():
    model = mlp()

    def loss() -> Tensor:
        state = torch.tensor([0.0, -INF, -INF]).expand(6, 3)
        for _ in range(3):
            shifted = torch.cat([torch.full((6, 1), -INF), state[:, :-1]], 1)
            state = torch.logaddexp(state, shifted) + model(X).log_softmax(1)
        return -state[:, -1].mean()

    steps(model, loss)


@benign
def bounds_that_are_infinite():
    model = mlp()
    low, high = torch.tensor([-INF, 0.0, -1.0]), torch.tensor([INF, INF, 1.0])
    steps(model, lambda: torch.minimum(torch.maximum(model(X), low), high).square().mean())


@benign
def score_of_a_class_without_samples():
    model = mlp()

    def loss() -> Tensor:
        out = model(X)
        with torch.no_grad():
            hits = torch.zeros(5).index_add(0, Y, (out.argmax(1) == Y).float())
            per_class = hits / torch.bincount(Y, minlength=5)
        assert per_class.isnan().any()
        return functional.cross_entropy(out, Y)

    steps(model, loss)


@benign
def ratio_with_a_mask_before_and_after():
    model = mlp()

    def loss() -> Tensor:
        count = torch.tensor([2.0, 0.0, 1.0])
        is_there = count > 0
        mean = model(X).sum(0) / count.where(is_there, 1.0)
        return mean.where(is_there, 0.0).square().mean()

    steps(model, loss)


@benign
def table_of_missing_values_that_is_never_looked_up():
    model = mlp()
    table = torch.full((4, 3), float("nan"))
    table[:3] = 1.0
    steps(model, lambda: functional.mse_loss(model(X), table[Y]))
