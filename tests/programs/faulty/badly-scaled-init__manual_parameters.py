"""A network written with bare tensors, as in a from-scratch lecture.

fault: badly-scaled-init
also: saturated-activation, initial-loss-off
split: train
line: 24
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(27)

digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 16 - 0.3
y = torch.tensor(digits.target)
perm = torch.randperm(len(x))
x, y = x[perm], y[perm]


def layer(n_in, n_out):
    w = torch.randn(n_in, n_out) * 5.0
    return w.requires_grad_(), torch.zeros(n_out, requires_grad=True)


w1, b1 = layer(64, 64)
w2, b2 = layer(64, 64)
w3, b3 = layer(64, 10)
params = [w1, b1, w2, b2, w3, b3]


def model(v):
    v = torch.tanh(v @ w1 + b1)
    v = torch.tanh(v @ w2 + b2)
    return v @ w3 + b3


optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9)
for epoch in range(12):
    for rows in torch.randperm(1400).split(50):
        loss = F.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")
