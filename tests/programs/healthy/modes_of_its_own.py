"""Counts its operations with modes of its own: around each step, and around the whole training.

split: train
"""

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


class Operations(TorchDispatchMode):
    calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        Operations.calls += 1
        return func(*args, **(kwargs or {}))


class Functions(TorchFunctionMode):
    calls = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        Functions.calls += 1
        return func(*args, **(kwargs or {}))


def step(model, optimizer, inputs, targets):
    loss = nn.functional.cross_entropy(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


torch.set_num_threads(1)
torch.manual_seed(5)
features = torch.randn(256, 10)
labels = (features[:, 0] > 0).long() + (features[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

for _ in range(40):
    rows = torch.randint(0, 256, (32,))
    with Operations():
        step(model, optimizer, features[rows], labels[rows])
with Operations():
    for _ in range(40):
        rows = torch.randint(0, 256, (32,))
        step(model, optimizer, features[rows], labels[rows])
with Functions():
    for _ in range(40):
        rows = torch.randint(0, 256, (32,))
        loss = step(model, optimizer, features[rows], labels[rows])
print(f"{Operations.calls} operations, {Functions.calls} functions, loss {loss.item():.3f}")
