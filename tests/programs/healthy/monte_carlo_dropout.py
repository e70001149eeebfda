"""A regression that asks with dropout on, thirty times, to see how sure it is.

split: train
"""

import torch
import torch.nn as nn

torch.manual_seed(11)
x = torch.rand(1500, 1) * 8 - 4
y = torch.sin(x) * 1.2 + torch.randn_like(x) * (0.05 + 0.1 * x.abs())
xt = torch.linspace(-4, 4, 200).unsqueeze(1)
net = nn.Sequential(nn.Linear(1, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 2))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
nll = nn.GaussianNLLLoss()
for epoch in range(25):
    for rows in torch.randperm(1500).split(50):
        mean, logvar = net(x[rows]).chunk(2, 1)
        loss = nll(mean, y[rows], logvar.clamp(-8, 4).exp())
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            draws = torch.stack([net(xt)[:, :1] for _ in range(30)])
        print(epoch + 1, "nll", round(loss.item(), 3), "rmse", (draws.mean(0) - 1.2 * torch.sin(xt)).pow(2).mean().sqrt().item(), "spread", draws.std(0).mean().item())
