"""A network on digits, trained for a few epochs with a modest rate.

fault: stopped-early
also: learning-rate-too-low
split: train
line: 16
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(491)
EPOCHS = 2
images, labels = load_digits(return_X_y=True)
x = torch.tensor((images - images.mean()) / images.std(), dtype=torch.float32)
y = torch.tensor(labels)
order = torch.randperm(len(x))
x, y = x[order], y[order]
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), batch_size=50, shuffle=True)
model = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
criterion = nn.CrossEntropyLoss()
for epoch in range(EPOCHS):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
