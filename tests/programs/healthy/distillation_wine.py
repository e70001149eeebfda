"""A student of a teacher.

split: test
"""

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)

X, y = make_classification(4000, 30, n_informative=12, n_redundant=6, n_classes=5, n_clusters_per_class=2,
                           class_sep=1.6, flip_y=0.02, random_state=6)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.25, random_state=6)
m, s = Xtr.mean(0), Xtr.std(0)
Xtr, Xte = (torch.tensor((a - m) / s, dtype=torch.float32) for a in (Xtr, Xte))
ytr, yte = torch.tensor(ytr), torch.tensor(yte)


class Trainer:
    def __init__(self, model, loss_fn, lr, epochs, name):
        self.model, self.loss_fn, self.epochs, self.name = model, loss_fn, epochs, name
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.02)

    def fit(self, x, y, bs=64):
        for ep in range(self.epochs):
            self.model.train()
            losses = []
            for idx in torch.randperm(len(x)).split(bs):
                self.opt.zero_grad()
                loss = self.loss_fn(self.model(x[idx]), x[idx], y[idx])
                loss.backward()
                self.opt.step()
                losses.append(loss.item())
            if (ep + 1) % 4 == 0:
                print(f"{self.name} epoch {ep + 1} loss {np.mean(losses):.4f} acc {self.score(Xte, yte):.4f}")
        return self

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(1) == y).float().mean().item()


def hard_loss(out, x, y):
    return F.cross_entropy(out, y)


teacher = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Dropout(0.3), nn.Linear(128, 128), nn.ReLU(), nn.Dropout(0.3),
                        nn.Linear(128, 5))
t = Trainer(teacher, hard_loss, 2e-3, 12, "teacher").fit(Xtr, ytr)
teacher.eval()
for p in teacher.parameters():
    p.requires_grad_(False)

TEMP, ALPHA = 3.0, 0.7


def kd_loss(out, x, y):
    with torch.no_grad():
        soft = F.log_softmax(teacher(x) / TEMP, 1)
    kl = F.kl_div(F.log_softmax(out / TEMP, 1), soft, reduction="batchmean", log_target=True) * TEMP ** 2
    return ALPHA * kl + (1 - ALPHA) * F.cross_entropy(out, y)


student = nn.Sequential(nn.Linear(30, 48), nn.ReLU(), nn.Linear(48, 5))
k = Trainer(student, kd_loss, 4e-3, 12, "student").fit(Xtr, ytr)
print(f"teacher {t.score(Xte, yte):.4f}  distilled student {k.score(Xte, yte):.4f}")
