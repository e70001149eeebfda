"""Regression on a made-up table with a two-layer model written with nn.Parameter.

fault: constant-init
also:
split: train
line: 20, 21
"""
import torch
from torch import nn
from sklearn.datasets import make_friedman1


class Net(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.w = nn.Parameter(torch.empty(h, d))
        self.b = nn.Parameter(torch.zeros(h))
        self.v = nn.Parameter(torch.empty(h))
        self.c = nn.Parameter(torch.zeros(()))
        nn.init.constant_(self.w, d ** -0.5)
        nn.init.constant_(self.v, h ** -0.5)

    def forward(self, x):
        return torch.tanh(x @ self.w.T + self.b) @ self.v + self.c


torch.manual_seed(0)
X, y = make_friedman1(900, n_features=8, noise=0.3, random_state=1)
X = torch.tensor(X, dtype=torch.float32)
y = torch.tensor(y, dtype=torch.float32)
X = (X - X[:700].mean(0)) / X[:700].std(0)
y = (y - y[:700].mean()) / y[:700].std()
model = Net(8, 32)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(25):
    for idx in torch.randperm(700).split(50):
        optimizer.zero_grad()
        err = model(X[idx]) - y[idx]
        loss = (err * err).mean()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        r2 = 1 - ((model(X[700:]) - y[700:]) ** 2).mean() / y[700:].var()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1} loss {loss.item():.4f} r2 {r2.item():.3f}")
print("SCORE", r2.item())
