"""The partner comes first, a queue of others after it: all targets are 0.

split: train
"""

import torch, torch.nn as nn, torch.nn.functional as F, copy
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); x = torch.tensor(d.data).float() / 8 - 0.6
q = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32)); k = copy.deepcopy(q)
for p in k.parameters(): p.requires_grad_(False)
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
queue = F.normalize(torch.randn(63, 32), dim=1)
for epoch in range(8):
    for i in torch.randperm(1400).split(64):
        if len(i) < 64: continue
        a = F.normalize(q(x[i] + 0.2 * torch.randn(64, 64)), dim=1)
        with torch.no_grad():
            for pk, pq in zip(k.parameters(), q.parameters()): pk.mul_(0.95).add_(pq, alpha=0.05)
            b = F.normalize(k(x[i] + 0.2 * torch.randn(64, 64)), dim=1)
        logits = torch.cat([(a * b).sum(1, keepdim=True), a @ queue.T], 1) / 0.2
        loss = F.cross_entropy(logits, torch.zeros(64, dtype=torch.long))
        opt.zero_grad(); loss.backward(); opt.step()
        queue = torch.cat([b, queue])[:63]
    print(epoch, loss.item())
