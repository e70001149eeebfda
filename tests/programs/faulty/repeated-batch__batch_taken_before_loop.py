"""Digits in a loop over steps, with a data loader.

fault: repeated-batch
also: overfitting
split: test
line: 24
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(50)
data = load_digits()
x = torch.tensor(data.data / 16, dtype=torch.float32)
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
loader = DataLoader(TensorDataset(x[perm[:1400]], y[perm[:1400]]), batch_size=32, shuffle=True)
x_test, y_test = x[perm[1400:]], y[perm[1400:]]
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
inputs, targets = next(iter(loader))
for step in range(400):
    logits = model(inputs)
    loss = nn.functional.cross_entropy(logits, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 80 == 79:
        with torch.no_grad():
            accuracy = (model(x_test).argmax(1) == y_test).float().mean()
        print(f"step {step + 1} loss {loss.item():.4f} test accuracy {accuracy:.3f}")
