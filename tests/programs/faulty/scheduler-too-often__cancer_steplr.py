"""A tumour classifier with SGD whose rate should fall to a tenth every ten epochs.

fault: scheduler-too-often
also:
split: train
line: 35
"""

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(30)
data = load_breast_cancer()
x = torch.tensor(data.data, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(data.target)
order = torch.randperm(len(x))
loader = DataLoader(TensorDataset(x[order[:430]], y[order[:430]]), batch_size=32, shuffle=True)
x_val, y_val = x[order[430:]], y[order[430:]]

model = nn.Sequential(nn.Linear(30, 20), nn.ReLU(), nn.Linear(20, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(30):
    for features, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()
        scheduler.step()
    if (epoch + 1) % 5 == 0:
        with torch.no_grad():
            val_loss = criterion(model(x_val), y_val).item()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f} val loss {val_loss:.4f}")
