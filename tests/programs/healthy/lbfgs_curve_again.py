"""A curve by LBFGS, in closures.

split: test
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(16)

t = torch.rand(240, 1) * 4
clean = torch.exp(-0.5 * t) * torch.cos(4 * t)
y = clean + 0.02 * torch.randn_like(t)
grid = torch.linspace(0.05, 3.95, 200).unsqueeze(1)
truth = torch.exp(-0.5 * grid) * torch.cos(4 * grid)

centre, half = 2.0, 2.0
net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=20, line_search_fn="strong_wolfe")
mse = nn.MSELoss()
inp = (t - centre) / half


def closure():
    opt.zero_grad()
    loss = mse(net(inp), y)
    loss.backward()
    return loss


for outer in range(1, 13):
    net.train()
    loss = opt.step(closure)
    if outer % 3 == 0:
        net.eval()
        with torch.no_grad():
            err = mse(net((grid - centre) / half), truth).item()
        print(f"outer {outer:2d} train {loss.item():.6f} (noise 0.0004) error to truth {err:.6f}")

with torch.no_grad():
    pred = net((grid - centre) / half)
r2 = 1 - ((pred - truth) ** 2).sum() / ((truth - truth.mean()) ** 2).sum()
print("R2 on the clean curve: %.4f" % r2.item())
