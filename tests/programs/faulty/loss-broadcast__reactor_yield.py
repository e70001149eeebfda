"""The yield of a reactor from ten process settings.

fault: loss-broadcast
also:
split: test
line: 42
"""

import torch
from torch import nn
from sklearn.datasets import make_friedman1
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.metrics import r2_score

torch.manual_seed(11)

X, y = make_friedman1(n_samples=1500, n_features=10, noise=0.5, random_state=11)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=11)

xs = StandardScaler().fit(X_tr)
ys = StandardScaler().fit(y_tr.reshape(-1, 1))
X_tr = torch.tensor(xs.transform(X_tr), dtype=torch.float32)
X_te = torch.tensor(xs.transform(X_te), dtype=torch.float32)
t_tr = torch.tensor(ys.transform(y_tr.reshape(-1, 1)).ravel(), dtype=torch.float32)

net = nn.Sequential(
    nn.Linear(10, 64), nn.SiLU(),
    nn.Linear(64, 64), nn.SiLU(),
    nn.Linear(64, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=3e-3)

BATCH = 50
history = []
for epoch in range(60):
    perm = torch.randperm(len(X_tr))
    for start in range(0, len(perm), BATCH):
        rows = perm[start:start + BATCH]
        pred = net(X_tr[rows])
        err = pred - t_tr[rows]
        loss = (err ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.item())
    if epoch % 10 == 9:
        with torch.no_grad():
            guess = ys.inverse_transform(net(X_te).numpy()).ravel()
        print(f"[{epoch + 1:3d}] mse {sum(history[-20:]) / 20:.4f}   held-out R2 {r2_score(y_te, guess):.3f}")
