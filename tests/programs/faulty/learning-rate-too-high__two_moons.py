"""A binary classifier of two moons with BCE on logits and Adam.

fault: learning-rate-too-high
also: dead-relu, collapsed-output, loss-plateau
split: train
line: 16
"""

import torch
from sklearn.datasets import make_moons
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(407)
LEARNING_RATE = 1.0
x, y = make_moons(1200, noise=0.15, random_state=3)
x = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32)
y = torch.tensor(y, dtype=torch.float32)
loader = DataLoader(TensorDataset(x[:1000], y[:1000]), batch_size=50, shuffle=True)

layers = []
width = 2
for _ in range(3):
    layers += [nn.Linear(width, 32), nn.ReLU()]
    width = 32
model = nn.Sequential(*layers, nn.Linear(width, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(10):
    for points, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(points), labels)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = ((model(x[1000:]) > 0) == (y[1000:] > 0.5)).float().mean()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
