"""Mixup, label smoothing and an EMA copy of the weights (swa_utils) on digits.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(35)
d = load_digits()
X = torch.tensor(d.data, dtype=torch.float32) / 16
y = torch.tensor(d.target)
tr, te = train_test_split(torch.arange(len(X)), test_size=0.25, stratify=y, random_state=35)
X = (X - X[tr].mean()) / X[tr].std()


def mixup(x, t, alpha=0.2):
    lam = torch.distributions.Beta(alpha, alpha).sample()
    lam = torch.maximum(lam, 1 - lam)
    j = torch.randperm(len(x))
    one = F.one_hot(t, 10).float()
    return lam * x + (1 - lam) * x[j], lam * one + (1 - lam) * one[j]


model = nn.Sequential(nn.Linear(64, 96), nn.LayerNorm(96), nn.GELU(), nn.Linear(96, 96), nn.LayerNorm(96), nn.GELU(),
                      nn.Linear(96, 10))
ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.98))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
EPOCHS = 30
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
crit = nn.CrossEntropyLoss(label_smoothing=0.05)


@torch.no_grad()
def score(m):
    m.eval()
    o = m(X[te])
    return F.cross_entropy(o, y[te]).item(), (o.argmax(1) == y[te]).float().mean().item()


for epoch in range(EPOCHS):
    model.train()
    tot = 0.0
    for b in tr[torch.randperm(len(tr))].split(64):
        xb, tb = mixup(X[b], y[b])
        loss = crit(model(xb), tb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update_parameters(model)
        tot += loss.item() * len(b)
    sched.step()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1} mixup loss {tot / len(tr):.4f} raw {score(model)} ema {score(ema)}")
print("EMA test loss, accuracy:", score(ema))
