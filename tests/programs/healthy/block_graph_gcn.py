"""Node classification on a stochastic block model, plain dense GCN.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
N, K, FEAT = 240, 4, 16
y = torch.arange(N) % K
same = y[:, None] == y[None, :]
A = (torch.rand(N, N) < torch.where(same, 0.40, 0.10)).float().triu(1)
A = A + A.T
X = torch.randn(N, FEAT)
X[:, :K] += 1.2 * F.one_hot(y, K)
mask = torch.rand(N) < 0.25


def propagation(A):
    A = A + torch.eye(N)
    d = A.sum(1).rsqrt()
    return d[:, None] * A * d[None, :]


class GCN(nn.Module):
    def __init__(self, hidden=32, layers=3):
        super().__init__()
        sizes = [FEAT] + [hidden] * (layers - 1) + [K]
        self.lins = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def forward(self, P, x):
        for i, lin in enumerate(self.lins):
            x = P @ lin(x)
            if i < len(self.lins) - 1:
                x = F.relu(x)
        return x


P = propagation(A)
net = GCN()
opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
for epoch in range(200):
    net.train()
    opt.zero_grad()
    logits = net(P, X)
    loss = F.cross_entropy(logits[mask], y[mask])
    loss.backward()
    opt.step()
    if epoch % 20 == 19:
        net.eval()
        with torch.no_grad():
            acc = (net(P, X).argmax(1)[~mask] == y[~mask]).float().mean().item()
        print(f"{epoch + 1}: {loss.item():.4f} held-out {acc:.3f}")
print("SCORE", acc)
