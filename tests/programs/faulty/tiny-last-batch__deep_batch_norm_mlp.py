"""A deep multilayer perceptron with batch-norm on digits, with batches of 100 and an evaluation after each epoch.

fault: tiny-last-batch
also:
split: train
line: 22
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(245)
digits = load_digits()
x = torch.tensor(digits.data / 8 - 1, dtype=torch.float32)
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
x, y = x[order], y[order]
train = TensorDataset(x[:402], y[:402])
loader = DataLoader(train, batch_size=100, shuffle=True)

layers = []
for width in (64, 64, 64, 64, 64, 64):
    layers += [nn.Linear(width, 64), nn.BatchNorm1d(64), nn.ReLU()]
model = nn.Sequential(*layers, nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(20):
    model.train()
    for images, labels in loader:
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[500:]).argmax(1) == y[500:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
