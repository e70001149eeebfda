"""Binarised hidden layer with a straight-through gradient (custom autograd function).

split: train
"""
import torch
from torch import nn
from sklearn.datasets import load_digits


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 1.5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.norm, self.b = nn.Linear(64, 128), nn.BatchNorm1d(128), nn.Linear(128, 10)

    def forward(self, x):
        return self.b(Sign.apply(self.norm(self.a(x))))


torch.manual_seed(0)
d = load_digits()
x, y = torch.tensor(d.data).float() / 8 - 0.6, torch.tensor(d.target)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(12):
    net.train()
    for i in torch.randperm(1400).split(50):
        loss = nn.functional.cross_entropy(net(x[i]), y[i])
        opt.zero_grad(); loss.backward(); opt.step()
    net.eval()
    with torch.no_grad():
        acc = (net(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
print("loss", loss.item())
print("SCORE", acc)
