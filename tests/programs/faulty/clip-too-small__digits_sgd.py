"""A digit classifier trained with SGD and clipped gradients.

fault: clip-too-small
also:
split: train
line: 30
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(39)
data = load_digits()
x = torch.tensor(data.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(data.target)
train = DataLoader(TensorDataset(x[:1500], y[:1500]), batch_size=50, shuffle=True)

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(12):
    for images, labels in train:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1e-3)
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[1500:]).argmax(1) == y[1500:]).float().mean().item()
    print(f"epoch {epoch:2d} loss {loss.item():.4f} test accuracy {accuracy:.3f}")
