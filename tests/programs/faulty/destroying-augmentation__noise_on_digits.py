"""Digits with noise added to every training batch to make the network robust; tested on clean digits.

fault: destroying-augmentation
also:
split: train
line: 24
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(233)
digits = load_digits()
x = torch.tensor(digits.data / 16, dtype=torch.float32)
x = (x - x.mean()) / x.std()
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
x_train, y_train, x_test, y_test = x[order[:1400]], y[order[:1400]], x[order[1400:]], y[order[1400:]]


def augment(batch):
    return batch + 12.0 * torch.randn_like(batch)


model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(12):
    model.train()
    for rows in torch.randperm(len(x_train)).split(32):
        loss = nn.functional.cross_entropy(model(augment(x_train[rows])), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
