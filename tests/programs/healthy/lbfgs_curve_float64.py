"""A small network fitted by LBFGS with rate 1 on the full data, as in classic curve fitting, in float64.

split: test
"""

import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(8)
torch.set_default_dtype(torch.float64)

rng = np.random.default_rng(8)
grid = rng.uniform(-1, 1, size=(300, 2))
height = np.sin(3 * grid[:, 0]) * np.cos(2 * grid[:, 1])
x, y = torch.from_numpy(grid), torch.from_numpy(height).unsqueeze(1)

net = torch.nn.Sequential(
    torch.nn.Linear(2, 20), torch.nn.Tanh(), torch.nn.Linear(20, 20), torch.nn.Tanh(), torch.nn.Linear(20, 1)
)
optimizer = torch.optim.LBFGS(net.parameters(), lr=1, max_iter=10, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = ((net(x[:200]) - y[:200]) ** 2).mean()
    loss.backward()
    return loss


for round_ in range(30):
    loss = optimizer.step(closure)
    if round_ % 5 == 0:
        print(round_, loss.item())
with torch.no_grad():
    residual = ((net(x[200:]) - y[200:]) ** 2).mean()
print("held-out R2", 1 - (residual / y[200:].var()).item())
