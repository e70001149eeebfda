"""An MLP on digits with a rate that falls after each epoch.

fault: scheduler-before-optimizer
also:
split: train
line: 29
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(27)
digits = load_digits()
x = torch.tensor(digits.data / 16 - 0.3, dtype=torch.float32)
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
train_loader = DataLoader(TensorDataset(x[order[:1400]], y[order[:1400]]), batch_size=32, shuffle=True)
x_test, y_test = x[order[1400:]], y[order[1400:]]

model = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)

for epoch in range(4):
    scheduler.step()
    for images, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        test_loss = criterion(model(x_test), y_test).item()
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} lr {scheduler.get_last_lr()[0]:.5f} test loss {test_loss:.4f} accuracy {accuracy:.3f}")
