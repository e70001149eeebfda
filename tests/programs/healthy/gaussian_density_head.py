"""Heteroscedastic regression whose Gaussian likelihood loss goes below zero.

split: test
"""
import torch
import torch.nn as nn

torch.manual_seed(36)
torch.set_num_threads(1)
x = torch.rand(2000, 1) * 4 - 2
sigma = 0.02 + 0.08 * (x > 0).float() * x
y = torch.sin(2 * x) + sigma * torch.randn_like(x)


class MeanVar(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh())
        self.mu, self.log_s = nn.Linear(48, 1), nn.Linear(48, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mu(h), self.log_s(h).clamp(-6, 3)


m = MeanVar()
opt = torch.optim.Adam(m.parameters(), lr=3e-3)
for ep in range(40):
    for b in torch.randperm(1600).split(64):
        mu, ls = m(x[b])
        nll = (ls + 0.5 * ((y[b] - mu) / ls.exp()) ** 2).mean()
        opt.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(m.parameters(), 5.0)
        opt.step()
    if ep % 8 == 7:
        with torch.no_grad():
            mu, ls = m(x[1600:])
            z = ((y[1600:] - mu) / ls.exp()).abs()
            rmse = (mu - y[1600:]).pow(2).mean().sqrt()
        print(f"epoch {ep + 1} nll {nll.item():.3f} test rmse {rmse:.4f} within one sigma {(z < 1).float().mean():.3f}")
