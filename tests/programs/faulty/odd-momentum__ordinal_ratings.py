"""Linear-plus-hidden-layer model for ordinal survey answers, trained with SGD.

fault: odd-momentum
also:
split: test
line: 23
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(73)
torch.set_num_threads(1)
n, d, K = 2000, 12, 4
X = torch.randn(n, d)
score = X @ torch.randn(d) / 2 + 0.5 * X[:, 0] * X[:, 1] + 0.15 * torch.randn(n)
cuts = score.quantile(torch.tensor([0.25, 0.5, 0.75]))
y = torch.bucketize(score, cuts)
levels = (y[:, None] > torch.arange(K - 1)).float()

net = nn.Sequential(nn.Linear(d, 40), nn.ReLU(), nn.Linear(40, 1))
thresholds = nn.Parameter(torch.tensor([-1.0, 0.0, 1.0]))
sgd = torch.optim.SGD([*net.parameters(), thresholds], lr=0.05, momentum=1.0)

for epoch in range(15):
    for b in torch.randperm(1600).split(40):
        z = net(X[b]) - thresholds
        loss = F.binary_cross_entropy_with_logits(z, levels[b])
        sgd.zero_grad()
        loss.backward()
        sgd.step()
    with torch.no_grad():
        pred = (net(X[1600:]) > thresholds).sum(1)
    acc = (pred == y[1600:]).float().mean()
    mae = (pred - y[1600:]).abs().float().mean()
    print(f"epoch {epoch} loss {loss.item():.4f} mae {mae:.3f} exact accuracy {acc:.4f}")
