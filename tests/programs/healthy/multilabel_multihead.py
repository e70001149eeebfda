"""Two heads on a shared trunk: multi-label tags and a small-valued regression target.

split: test
"""

import torch
import torch.nn as nn
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(2024)

X, Y = make_multilabel_classification(4000, n_features=40, n_classes=6, n_labels=3, length=60, random_state=3)
X = torch.tensor(X, dtype=torch.float32)
Y = torch.tensor(Y, dtype=torch.float32)
X = torch.log1p(X)
g = torch.Generator().manual_seed(0)
w = torch.randn(40, generator=g)
rate = 0.004 + 0.003 * torch.tanh((X - X.mean(0)) @ w / 3) + 0.0003 * torch.randn(len(X), generator=g)

train, val = random_split(TensorDataset(X, Y, rate), [3200, 800], generator=g)
xt, _, rt = train[:]
R_MEAN, R_STD = rt.mean(), rt.std()


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(40)
        self.trunk = nn.Sequential(nn.Linear(40, 96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, 64), nn.ReLU())
        self.tags = nn.Linear(64, 6)
        self.rate = nn.Linear(64, 1)
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        h = self.trunk(self.norm(x))
        return self.tags(h), self.rate(h).squeeze(-1)

    def combine(self, l_tags, l_rate):
        p = torch.exp(-self.log_var)
        return p[0] * l_tags + p[1] * l_rate + 0.5 * self.log_var.sum()


model = MultiTask()
bce, mse = nn.BCEWithLogitsLoss(), nn.MSELoss()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
loader = DataLoader(train, batch_size=64, shuffle=True)
xv, yv, rv = val[:]
for epoch in range(13):
    model.train()
    a = b = 0.0
    for x, y, r in loader:
        t, p = model(x)
        lt, lr_ = bce(t, y), mse(p, (r - R_MEAN) / R_STD)
        opt.zero_grad()
        model.combine(lt, lr_).backward()
        opt.step()
        a += lt.item() / len(loader)
        b += lr_.item() / len(loader)
    model.eval()
    with torch.no_grad():
        t, p = model(xv)
    f1 = f1_score(yv, t > 0, average="micro")
    r2 = 1 - mse(p * R_STD + R_MEAN, rv) / rv.var()
    print(f"epoch {epoch + 1} bce {a:.4f} mse {b:.4f} | val micro-F1 {f1:.4f} R2 {r2:.4f}")
