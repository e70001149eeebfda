"""A surface that is fitted with LBFGS.

split: test
"""

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
torch.manual_seed(6)
rng = np.random.default_rng(6)


def surface(p):
    return np.sin(2.5 * p[:, 0]) * np.cos(1.5 * p[:, 1]) + 0.4 * p[:, 0] * p[:, 1]


points = rng.uniform(-1.5, 1.5, size=(700, 2))
heights = 40 + 12 * surface(points) + rng.normal(0, 0.4, 700)
train_p, test_p = torch.tensor(points[:500]), torch.tensor(points[500:])
train_h, test_h = torch.tensor(heights[:500]), torch.tensor(heights[500:])
p_mean, p_std = train_p.mean(0), train_p.std(0)
h_mean, h_std = train_h.mean(), train_h.std()
x, x_test = (train_p - p_mean) / p_std, (test_p - p_mean) / p_std
t = ((train_h - h_mean) / h_std).unsqueeze(1)

model = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=10, history_size=20, line_search_fn="strong_wolfe")


def objective():
    fit = nn.functional.mse_loss(model(x), t)
    ridge = sum((m.weight ** 2).sum() for m in model if isinstance(m, nn.Linear))
    return fit + 1e-5 * ridge


def closure():
    optimizer.zero_grad()
    loss = objective()
    loss.backward()
    return loss


def report(round_no, loss):
    model.eval()
    with torch.no_grad():
        guess = model(x_test).squeeze(1) * h_std + h_mean
    model.train()
    rmse = (guess - test_h).pow(2).mean().sqrt()
    r2 = 1 - (guess - test_h).pow(2).sum() / (test_h - test_h.mean()).pow(2).sum()
    print(f"round {round_no:2d}  objective {loss:.5f}  test rmse {rmse:.3f}  R2 {r2:.4f}")


for round_no in range(1, 31):
    loss = optimizer.step(closure)
    if round_no % 5 == 0:
        report(round_no, loss.item())
