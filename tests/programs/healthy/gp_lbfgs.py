"""Exact Gaussian-process regression, hyper-parameters by marginal likelihood.

split: test
"""

import math
import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
torch.manual_seed(3)

n = 120
X = torch.rand(n, 2) * 4 - 2
f = lambda x: torch.sin(2 * x[:, 0]) + 0.5 * x[:, 1] ** 2 - 0.6
y = f(X) + 0.1 * torch.randn(n)
Xs = torch.rand(200, 2) * 3.6 - 1.8
ys = f(Xs)
mean, std = y.mean(), y.std()
t = (y - mean) / std


class GP(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.log_len = torch.nn.Parameter(torch.zeros(d))
        self.log_amp = torch.nn.Parameter(torch.zeros(()))
        self.log_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def kernel(self, a, b):
        a, b = a / self.log_len.exp(), b / self.log_len.exp()
        d2 = (a[:, None] - b[None]).pow(2).sum(-1)
        return (2 * self.log_amp).exp() * torch.exp(-0.5 * d2)

    def chol(self, x):
        k = self.kernel(x, x) + ((2 * self.log_noise).exp() + 1e-6) * torch.eye(len(x))
        return torch.linalg.cholesky(k)

    def neg_mll(self, x, t):
        L = self.chol(x)
        a = torch.cholesky_solve(t[:, None], L)[:, 0]
        return 0.5 * t @ a + L.diagonal().log().sum() + 0.5 * len(t) * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, x, t, xs):
        L = self.chol(x)
        ks = self.kernel(x, xs)
        mu = ks.T @ torch.cholesky_solve(t[:, None], L)[:, 0]
        v = torch.linalg.solve_triangular(L, ks, upper=False)
        return mu, (2 * self.log_amp).exp() - v.pow(2).sum(0)


gp = GP(2)
opt = torch.optim.LBFGS(gp.parameters(), lr=0.5, max_iter=10, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    loss = gp.neg_mll(X, t)
    loss.backward()
    return loss


for outer in range(6):
    value = opt.step(closure)
    mu, var = gp.predict(X, t, Xs)
    rmse = ((mu * std + mean) - ys).pow(2).mean().sqrt()
    print(f"{outer:2d} nlml {value.item():9.3f}  test rmse {rmse.item():.4f}")
print("lengthscales", gp.log_len.exp().tolist(), "noise", (gp.log_noise.exp() * std).item())
inside = (((mu * std + mean) - ys).abs() < 2 * std * (var + (2 * gp.log_noise).exp()).sqrt()).double().mean()
print(f"inside two sigma: {inside.item():.3f}")
