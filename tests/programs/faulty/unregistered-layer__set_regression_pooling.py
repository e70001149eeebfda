"""Permutation-invariant network that predicts a statistic of a point set of varying size.

fault: unregistered-layer
also:
split: test
line: 25
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(25)


class DeepSet(nn.Module):
    def __init__(self, d_in=3, d=32):
        super().__init__()
        self.d = d
        self.phi = nn.Linear(d_in, d)
        self.rho = nn.Linear(d, 1)

    def forward(self, x):
        h = F.elu(self.phi(x))
        proj = nn.Linear(h.shape[-1], self.d)
        h = F.elu(proj(h)).mean(1)
        return self.rho(h).squeeze(-1)


def sets(n_batches):
    out = []
    for _ in range(n_batches):
        k = int(torch.randint(5, 15, ()))
        scale = torch.rand(32, 1, 1) * 1.5 + 0.2
        pts = torch.randn(32, k, 3) * scale
        target = pts.norm(dim=-1).mean(1) + pts[..., 0].mean(1)
        out.append((pts, target))
    m = torch.cat([t for _, t in out]).mean()
    return [(p, t - m) for p, t in out]


train, val = sets(60), sets(12)
net = DeepSet()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(15):
    for j in torch.randperm(len(train)):
        p, t = train[j]
        loss = F.mse_loss(net(p), t)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        pred = torch.cat([net(p) for p, _ in val])
        true = torch.cat([t for _, t in val])
        r2 = 1 - (pred - true).pow(2).sum() / (true - true.mean()).pow(2).sum()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} mse {loss.item():.4f} R2 {r2:.4f}")
