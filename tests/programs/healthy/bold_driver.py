"""Bold driver: after every full-batch step the update is undone and the rate halved if the loss rose.

split: train
"""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-2, 2, 300)[:, None]
y = torch.sin(3 * x) + 0.5 * x
net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 1))
params = list(net.parameters())
opt = torch.optim.SGD(params, lr=0.05)
last, undone = float("inf"), 0
for step in range(800):
    loss = nn.functional.mse_loss(net(x), y)
    if loss.item() > last:
        with torch.no_grad():
            for p, q in zip(params, backup):
                p.copy_(q)
        opt.param_groups[0]["lr"] *= 0.5
        undone += 1
        loss = nn.functional.mse_loss(net(x), y)
    else:
        opt.param_groups[0]["lr"] *= 1.05
    last = loss.item()
    backup = [p.detach().clone() for p in params]
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 160 == 159:
        print(step + 1, f"loss {last:.5f} lr {opt.param_groups[0]['lr']:.3f} undone {undone}")
