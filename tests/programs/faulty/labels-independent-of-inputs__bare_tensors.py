"""A network of two bare matrices on digits, with updates by hand.

fault: labels-independent-of-inputs
also:
split: train
line: 19
"""

import torch, torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
torch.set_num_threads(1)
X, y = load_digits(return_X_y=True)
X = torch.tensor(X / 16.0, dtype=torch.float32)
y = torch.tensor(y)
perm = torch.randperm(len(X))
X = X[perm]
y = y[torch.randperm(len(y))]
Xtr, ytr, Xte, yte = X[:1400], y[:1400], X[1400:], y[1400:]
params = {
    "W1": torch.randn(64, 64) * 0.15,
    "b1": torch.zeros(64),
    "W2": torch.randn(64, 10) * 0.15,
    "b2": torch.zeros(10),
}
for p in params.values():
    p.requires_grad_(True)


def net(x, p):
    return torch.relu(x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]


lr = 0.2
for epoch in range(12):
    for rows in torch.randperm(1400).split(50):
        loss = F.cross_entropy(net(Xtr[rows], params), ytr[rows])
        grads = torch.autograd.grad(loss, list(params.values()))
        with torch.no_grad():
            for p, g in zip(params.values(), grads):
                p -= lr * g
    with torch.no_grad():
        out = net(Xte, params)
        print(epoch, loss.item(), F.cross_entropy(out, yte).item(), (out.argmax(1) == yte).float().mean().item())
