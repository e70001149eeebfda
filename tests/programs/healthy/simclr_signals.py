"""Contrastive pre-training of a 1-D encoder on unlabelled signals, then a linear probe.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression

torch.set_num_threads(1)
torch.manual_seed(17)


def signals(n, length=48):
    t = torch.linspace(0, 1, length)
    y = torch.randint(0, 4, (n,))
    base = torch.stack([torch.sin(2 * torch.pi * 3 * t), torch.sign(torch.sin(2 * torch.pi * 3 * t)),
                        torch.sin(2 * torch.pi * 7 * t), (3 * t % 1) * 2 - 1])
    x = base[y]
    shift = torch.randint(0, length, (n,))
    x = torch.stack([row.roll(int(s)) for row, s in zip(x, shift)])
    return (x + 0.1 * torch.randn(n, length)).unsqueeze(1), y


def augment(x):
    x = x * torch.empty(len(x), 1, 1).uniform_(0.6, 1.4) + 0.2 * torch.randn_like(x)
    idx = (torch.arange(x.size(-1)) + torch.randint(0, x.size(-1), (len(x), 1))) % x.size(-1)
    return x.gather(2, idx.unsqueeze(1))


encoder = nn.Sequential(nn.Conv1d(1, 16, 7, padding=3), nn.BatchNorm1d(16), nn.ReLU(), nn.MaxPool1d(2),
                        nn.Conv1d(16, 32, 5, padding=2), nn.BatchNorm1d(32), nn.ReLU(),
                        nn.AdaptiveAvgPool1d(1), nn.Flatten())
projector = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))


def info_nce(a, b, tau=0.3):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.T / tau
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    return F.cross_entropy(sim, torch.cat([torch.arange(n, 2 * n), torch.arange(n)]))


X, y = signals(1024)
Xt, yt = signals(400)
opt = torch.optim.AdamW([*encoder.parameters(), *projector.parameters()], lr=3e-3)
for ep in range(8):
    encoder.train()
    tot = 0
    for i in torch.randperm(1024).split(128):
        loss = info_nce(projector(encoder(augment(X[i]))), projector(encoder(augment(X[i]))))
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item()
    print("epoch", ep, "contrastive loss %.4f" % (tot / 8))
encoder.eval()
with torch.no_grad():
    f, ft = encoder(X).numpy(), encoder(Xt).numpy()
probe = LogisticRegression(max_iter=500).fit(f[:100], y[:100])
print("linear probe on 100 labels: %.4f" % probe.score(ft, yt))
