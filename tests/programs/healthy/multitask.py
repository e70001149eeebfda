"""Multi-task: shared trunk on digits; task 1 the digit, task 2 the horizontal centre of mass (regression), task 3 even/odd.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(23)
d = load_digits()
X = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
y = torch.tensor(d.target)
cx = (X.squeeze(1) * torch.arange(8.0)).sum((1, 2)) / X.sum((1, 2, 3))   # horizontal centre of mass
idx_tr, idx_te = train_test_split(torch.arange(len(X)), test_size=0.25, stratify=y, random_state=23)
cm, cs = cx[idx_tr].mean(), cx[idx_tr].std()
reg = (cx - cm) / cs
par = (y % 2).float()
X = (X - X[idx_tr].mean()) / X[idx_tr].std()
train = DataLoader(TensorDataset(X[idx_tr], y[idx_tr], reg[idx_tr], par[idx_tr]), batch_size=64, shuffle=True)


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                                   nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(), nn.Dropout(0.2))
        self.heads = nn.ModuleDict({"digit": nn.Linear(64, 10), "centre": nn.Linear(64, 1), "odd": nn.Linear(64, 1)})

    def forward(self, x):
        h = self.trunk(x)
        return self.heads["digit"](h), self.heads["centre"](h).squeeze(1), self.heads["odd"](h).squeeze(1)


model = MultiTask()
opt = torch.optim.AdamW(model.parameters(), lr=1.5e-3, weight_decay=1e-2)
EPOCHS = 22
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
w = {"digit": 1.0, "centre": 0.5, "odd": 0.5}

for epoch in range(EPOCHS):
    model.train()
    sums = torch.zeros(3)
    for x, yd, yr, yo in train:
        pd_, pr, po = model(x)
        parts = [F.cross_entropy(pd_, yd), F.mse_loss(pr, yr), F.binary_cross_entropy_with_logits(po, yo)]
        loss = w["digit"] * parts[0] + w["centre"] * parts[1] + w["odd"] * parts[2]
        opt.zero_grad()
        loss.backward()
        opt.step()
        sums += torch.tensor([p.item() for p in parts])
    sched.step()
    if epoch % 3 == 0 or epoch == EPOCHS - 1:
        model.eval()
        with torch.no_grad():
            a, b, c = model(X[idx_te])
            acc = (a.argmax(1) == y[idx_te]).float().mean()
            r2 = 1 - (b - reg[idx_te]).pow(2).mean() / reg[idx_te].var()
            odd = ((c > 0).float() == par[idx_te]).float().mean()
        print(f"epoch {epoch:2d} losses {[round(s.item() / len(train), 4) for s in sums]} test: digit {acc:.4f} centre R2 {r2:.4f} odd {odd:.4f}")
