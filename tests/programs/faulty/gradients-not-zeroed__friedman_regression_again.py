"""Regress the Friedman #1 surface with a small MLP and Adam.

fault: gradients-not-zeroed
also:
split: test
line: 38
"""
import torch
import torch.nn as nn
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split

torch.manual_seed(0)
X, y = make_friedman1(n_samples=4000, n_features=10, noise=0.5, random_state=0)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=0)

x_mean, x_std = X_tr.mean(0), X_tr.std(0)
y_mean, y_std = y_tr.mean(), y_tr.std()
X_tr = torch.tensor((X_tr - x_mean) / x_std, dtype=torch.float32)
X_te = torch.tensor((X_te - x_mean) / x_std, dtype=torch.float32)
y_tr = torch.tensor((y_tr - y_mean) / y_std, dtype=torch.float32).unsqueeze(1)

net = nn.Sequential(
    nn.Linear(10, 48), nn.ReLU(),
    nn.Linear(48, 48), nn.ReLU(),
    nn.Linear(48, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
loss_fn = nn.MSELoss()

batch = 64
for epoch in range(30):
    perm = torch.randperm(len(X_tr))
    running = 0.0
    for i in range(0, len(X_tr), batch):
        idx = perm[i:i + batch]
        loss = loss_fn(net(X_tr[idx]), y_tr[idx])
        loss.backward()
        opt.step()
        running += loss.item() * len(idx)
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1:2d}  train mse {running / len(X_tr):.4f}")

net.eval()
with torch.no_grad():
    pred = net(X_te).squeeze(1).numpy() * y_std + y_mean
print(f"test R2 {r2_score(y_te, pred):.4f}")
