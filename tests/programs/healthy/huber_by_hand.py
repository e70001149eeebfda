"""A regression with a Huber loss written by hand.

split: train
"""

import torch
import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.preprocessing import StandardScaler

# --- data -------------------------------------------------------------
X, y = make_friedman1(n_samples=2000, n_features=10, noise=0.3, random_state=4)
X = StandardScaler().fit_transform(X)
y = (y - y[:1600].mean()) / y[:1600].std()
X = torch.as_tensor(X, dtype=torch.float32)
y = torch.as_tensor(y, dtype=torch.float32)
Xtr, ytr, Xte, yte = X[:1600], y[:1600], X[1600:], y[1600:]

# --- model ------------------------------------------------------------
torch.manual_seed(4)
net = torch.nn.Sequential(
    torch.nn.Linear(10, 64),
    torch.nn.SiLU(),
    torch.nn.Linear(64, 64),
    torch.nn.SiLU(),
    torch.nn.Linear(64, 1),
)


def huber(pred, target, delta=1.0):
    err = (pred - target).abs()
    quad = torch.clamp(err, max=delta)
    return (0.5 * quad ** 2 + delta * (err - quad)).mean()


def r2(pred, target):
    pred, target = pred.flatten(), target.flatten()
    return 1 - ((pred - target) ** 2).sum().item() / ((target - target.mean()) ** 2).sum().item()


opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
rng = np.random.default_rng(4)

for epoch in range(40):
    net.train()
    losses = []
    for idx in np.array_split(rng.permutation(len(Xtr)), 25):
        out = net(Xtr[idx]).squeeze(1)
        loss = huber(out, ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 4 == 3:
        net.eval()
        with torch.no_grad():
            print(f"epoch {epoch + 1:3d}  huber {np.mean(losses):.4f}  R2 train {r2(net(Xtr), ytr):.3f}  test {r2(net(Xte), yte):.3f}")
