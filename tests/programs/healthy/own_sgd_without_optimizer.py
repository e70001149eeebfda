"""Digits learned with autograd.grad and an update written by hand, no optimizer object.

split: test
"""

import torch
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(10)
data = load_digits()
x = torch.tensor(data.data / 16, dtype=torch.float32)
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
x, y = x[perm], y[perm]
params = [
    (torch.randn(64, 50) * 0.15).requires_grad_(),
    torch.zeros(50, requires_grad=True),
    (torch.randn(50, 10) * 0.15).requires_grad_(),
    torch.zeros(10, requires_grad=True),
]


def forward(v):
    w1, b1, w2, b2 = params
    return torch.relu(v @ w1 + b1) @ w2 + b2


for epoch in range(15):
    rate = 0.3 if epoch < 10 else 0.1
    for rows in torch.randperm(1400).split(35):
        loss = torch.nn.functional.cross_entropy(forward(x[rows]), y[rows])
        grads = torch.autograd.grad(loss, params)
        with torch.no_grad():
            for p, g in zip(params, grads, strict=True):
                p -= rate * g
    with torch.no_grad():
        print(f"epoch {epoch} accuracy {(forward(x[1400:]).argmax(1) == y[1400:]).float().mean():.3f}")
