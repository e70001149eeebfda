"""A network on digits with SGD and a rate that is multiplied down after each epoch.

fault: loss-plateau
also: learning-rate-too-low, scheduler-too-often
split: train
line: 24
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(461)
images, labels = load_digits(return_X_y=True)
x = torch.tensor((images - images.mean()) / images.std(), dtype=torch.float32)
y = torch.tensor(labels)
order = torch.randperm(len(x))
x, y = x[order], y[order]
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), batch_size=100, shuffle=True)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.2)
criterion = nn.CrossEntropyLoss()
for epoch in range(25):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    scheduler.step()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
