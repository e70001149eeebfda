"""Energy that is used, from ten drivers.

fault: misplaced-dropout
also: 
split: train
line: 40
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_friedman1

torch.manual_seed(11)
torch.set_num_threads(1)

# synthetic "energy use" table: 10 drivers, non-linear response
X, y = make_friedman1(n_samples=3000, n_features=10, noise=0.6, random_state=11)
X = torch.tensor(X, dtype=torch.float32)
y = torch.tensor(y, dtype=torch.float32)
perm = torch.randperm(len(X))
tr, te = perm[:2400], perm[2400:]
mx, sx = X[tr].mean(0), X[tr].std(0)
my, sy = y[tr].mean(), y[tr].std()
X = (X - mx) / sx
y = (y - my) / sy


class EnergyNet(nn.Module):
    def __init__(self, d, hidden=96, p=0.3):
        super().__init__()
        self.fc1 = nn.Linear(d, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        h = F.gelu(self.fc1(x))
        h = F.gelu(self.fc2(self.drop(h)))
        return self.drop(self.out(h)).squeeze(1)


net = EnergyNet(X.shape[1])
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=40)

for epoch in range(40):
    net.train()
    order = tr[torch.randperm(len(tr))]
    tot = 0.0
    for i in range(0, len(order), 64):
        b = order[i:i + 64]
        pred = net(X[b])
        loss = F.mse_loss(pred, y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    sched.step()
    if epoch % 5 == 4:
        net.eval()
        with torch.no_grad():
            p = net(X[te])
            mse = F.mse_loss(p, y[te]).item()
        print(f"epoch {epoch + 1:3d}  train mse {tot / len(tr):.4f}  test mse {mse:.4f}  R2 {1 - mse / y[te].var().item():.3f}")

net.eval()
with torch.no_grad():
    rmse = ((net(X[te]) - y[te]) * sy).pow(2).mean().sqrt()
print(f"test RMSE in original units: {rmse:.3f}")
