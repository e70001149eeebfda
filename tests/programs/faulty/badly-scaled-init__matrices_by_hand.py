"""Digits, every parameter by hand.

fault: badly-scaled-init
also: saturated-activation
split: train
line: 22
"""

import torch
from sklearn.datasets import load_digits

g = torch.Generator().manual_seed(11)
X, y = load_digits(return_X_y=True)
X, y = torch.tensor(X, dtype=torch.float32), torch.tensor(y)
order = torch.randperm(len(X), generator=g)
X, y = X[order], y[order]
n = 1400
X = (X - X[:n].mean()) / X[:n].std()


def matrix(fan_in, fan_out):
    return torch.nn.Parameter(torch.randn(fan_in, fan_out, generator=g) * fan_in ** 0.5)


H = 40
W1, W2, W3 = matrix(64, H), matrix(H, H), matrix(H, 10)
b1, b2, b3 = (torch.nn.Parameter(torch.zeros(k)) for k in (H, H, 10))
weights = [W1, b1, W2, b2, W3, b3]


def forward(x):
    h = torch.tanh(x @ W1 + b1)
    h = torch.tanh(h @ W2 + b2)
    return h @ W3 + b3


def nll(logits, t):
    return -(logits - logits.logsumexp(1, keepdim=True)).gather(1, t[:, None]).mean()


opt = torch.optim.Adam(weights, lr=3e-3)
for it in range(400):
    idx = torch.randint(0, n, (50,), generator=g)
    loss = nll(forward(X[idx]), y[idx])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, round(loss.item(), 4))
with torch.no_grad():
    print("SCORE", (forward(X[n:]).argmax(1) == y[n:]).float().mean().item())
