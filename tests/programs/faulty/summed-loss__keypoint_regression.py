"""Regresses the three corners of a triangle from a coarse distance field.

fault: summed-loss
also: learning-rate-too-high
split: test
line: 29
"""
import torch
from torch import nn

torch.manual_seed(90)
torch.set_num_threads(1)
grid = torch.stack(torch.meshgrid(torch.linspace(-1, 1, 7), torch.linspace(-1, 1, 7), indexing="ij"), -1).view(-1, 2)


def triangles(n):
    ang = torch.rand(n, 1) * 0.8 + torch.tensor([0.0, 2.1, 4.2])
    rad = 0.4 + 0.5 * torch.rand(n, 3)
    k = torch.stack([rad * ang.cos(), rad * ang.sin()], -1)
    field = torch.exp(-4 * torch.cdist(grid.expand(n, -1, -1), k).pow(2)).sum(-1)
    return field, k.flatten(1)


x, y = triangles(2000)
mx, sx, my, sy = x[:1600].mean(0), x[:1600].std(0), y[:1600].mean(0), y[:1600].std(0)
x, y = (x - mx) / sx, (y - my) / sy

model = nn.Sequential(nn.Linear(49, 64), nn.LeakyReLU(), nn.Linear(64, 64), nn.LeakyReLU(), nn.Linear(64, 6))
criterion = nn.MSELoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
history = []
for epoch in range(15):
    for b in torch.randperm(1600).split(64):
        loss = criterion(model(x[b]), y[b])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 50.0)
        optimizer.step()
    with torch.no_grad():
        r2 = 1 - (model(x[1600:]) - y[1600:]).pow(2).mean() / y[1600:].var()
    history.append(r2.item())
    if epoch % 3 == 2:
        print(f"{epoch + 1:3d} {loss.item():10.4f} val R2 {history[-1]:.4f}")
