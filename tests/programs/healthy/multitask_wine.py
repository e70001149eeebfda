"""Wines: their kind and their alcohol.

split: test
"""

# Wine: cultivar (classification, mildly weighted) and alcohol (regression) from the other twelve measurements.
import numpy as np
import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(15)

wine = load_wine()
feats, alcohol, kind = wine.data[:, 1:], wine.data[:, 0], wine.target
tr, te = train_test_split(np.arange(len(kind)), test_size=0.3, stratify=kind, random_state=15)


def standardise(a, ref):
    return torch.tensor((a - ref.mean(0)) / ref.std(0), dtype=torch.float32)


x_tr, x_te = standardise(feats[tr], feats[tr]), standardise(feats[te], feats[tr])
a_tr, a_te = standardise(alcohol[tr], alcohol[tr]), standardise(alcohol[te], alcohol[tr])
k_tr, k_te = torch.tensor(kind[tr]), torch.tensor(kind[te])
counts = torch.bincount(k_tr).float()
weights = counts.sum() / (len(counts) * counts)


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Dropout(0.2))
        self.kind = nn.Linear(32, 3)
        self.alcohol = nn.Linear(32, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.kind(h), self.alcohol(h).squeeze(1)


model = TwoHeads()
ce, mse = nn.CrossEntropyLoss(weight=weights), nn.MSELoss()
opt = torch.optim.AdamW([
    {"params": model.trunk.parameters(), "lr": 3e-3},
    {"params": [*model.kind.parameters(), *model.alcohol.parameters()], "lr": 5e-3},
], weight_decay=2e-2)

for epoch in range(1, 41):
    model.train()
    sums = torch.zeros(2)
    for idx in torch.randperm(len(x_tr)).split(31):
        logits, level = model(x_tr[idx])
        parts = torch.stack([ce(logits, k_tr[idx]), mse(level, a_tr[idx])])
        opt.zero_grad()
        parts.sum().backward()
        opt.step()
        sums += parts.detach() * len(idx)
    if epoch % 8 == 0:
        model.eval()
        with torch.no_grad():
            logits, level = model(x_te)
            acc = (logits.argmax(1) == k_te).float().mean()
            r2 = 1 - (level - a_te).pow(2).sum() / (a_te - a_te.mean()).pow(2).sum()
        ce_avg, mse_avg = (sums / len(x_tr)).tolist()
        print(f"epoch {epoch} ce {ce_avg:.3f} mse {mse_avg:.3f} | test acc {acc:.3f} alcohol R2 {r2:.3f}")
