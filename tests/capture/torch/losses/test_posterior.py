"""The divergence of a variational code is read off the graph, however it is written."""

import pytest
import torch
from torch.distributions import Normal, kl_divergence

from stetho.capture.torch.losses.posterior import KEPT, Posterior, divergence


def moments():
    generator = torch.Generator().manual_seed(0)
    mean, log_variance = torch.randn(5, 3, generator=generator), torch.randn(5, 3, generator=generator)
    return mean.requires_grad_(), log_variance.requires_grad_()


def expected(mean, log_variance):
    return 0.5 * float((mean**2 + log_variance.exp() - 1 - log_variance).sum(1).mean().detach())


WRITTEN = {
    "summed over all": lambda m, v: -0.5 * torch.sum(1 + v - m.pow(2) - v.exp()),
    "averaged over all": lambda m, v: -0.5 * torch.mean(1 + v - m**2 - torch.exp(v)),
    "averaged over samples": lambda m, v: torch.mean(-0.5 * torch.sum(1 + v - m**2 - v.exp(), dim=1), dim=0),
    "square as a product": lambda m, v: (0.5 * (v.exp() + m * m - 1 - v)).sum(),
    "by scale": lambda m, v: 0.5 * ((2 * (0.5 * v)).exp() + m**2 - 2 * (0.5 * v) - 1).sum(1).mean(),
    "by the library": lambda m, v: kl_divergence(Normal(m, (0.5 * v).exp()), Normal(0.0, 1.0)).sum(1).mean(),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_every_way_to_write_it_is_read(written) -> None:
    mean, log_variance = moments()
    error = (mean.sum() - 1.0) ** 2
    loss = error + 0.25 * WRITTEN[written](mean, log_variance)
    assert float(divergence(loss.grad_fn)) == pytest.approx(expected(mean, log_variance), rel=1e-5)


def test_a_likelihood_with_its_own_variance_is_none() -> None:
    mean, log_variance = moments()
    loss = (0.5 * (log_variance + (mean - 1.0).pow(2) / log_variance.exp())).mean()
    assert divergence(loss.grad_fn) is None


def test_a_squared_error_and_a_penalty_are_none() -> None:
    mean, _ = moments()
    assert divergence(((mean - 1).pow(2).mean() + mean.abs().mean()).grad_fn) is None


def test_values_are_thinned_out_and_never_too_many() -> None:
    mean, log_variance = moments()
    posterior = Posterior()
    for _ in range(5 * KEPT):
        posterior.look(WRITTEN["summed over all"](mean, log_variance).grad_fn)
    assert KEPT // 4 < len(posterior.facts()["nats"]) < KEPT


def test_a_graph_that_was_used_up_is_left_alone() -> None:
    mean, log_variance = moments()
    loss = WRITTEN["summed over all"](mean, log_variance)
    loss.backward()
    posterior = Posterior()
    posterior.look(loss.grad_fn)
    assert posterior.facts() == {}
