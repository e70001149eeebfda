"""Digits with thirty percent wrong labels, trained with a generalised cross-entropy.

split: test
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.manual_seed(63)
torch.set_num_threads(1)
X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32) / 16
y = torch.tensor(y)
perm = torch.randperm(len(X))
X, y = X[perm], y[perm]
noisy = y[:1300].clone()
flip = torch.rand(1300) < 0.3
noisy[flip] = torch.randint(0, 10, (int(flip.sum()),))


def gce(logits, target, q=0.7):
    p = logits.softmax(1).gather(1, target[:, None]).squeeze(1).clamp_min(1e-6)
    return ((1 - p ** q) / q).mean()


net = nn.Sequential(nn.Linear(64, 100), nn.ReLU(), nn.Linear(100, 10))
opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
for ep in range(25):
    for i in torch.randperm(1300).split(50):
        loss = gce(net(X[:1300][i]), noisy[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 6 == 0:
        with torch.no_grad():
            a = (net(X[1300:]).argmax(1) == y[1300:]).float().mean()
            b = (net(X[:1300]).argmax(1) == noisy).float().mean()
        print(f"epoch {ep}: loss {loss.item():.4f} fits noisy labels {b:.3f} clean test accuracy {a:.4f}")
