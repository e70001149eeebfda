"""A digit MLP trained for a number of steps rather than epochs.

fault: repeated-batch
also:
split: train
line: 27
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(74)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
train_loader = DataLoader(TensorDataset(x[order[:1400]], y[order[:1400]]), batch_size=32, shuffle=True)
x_test, y_test = x[order[1400:]], y[order[1400:]]

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

images, labels = next(iter(train_loader))
for step in range(300):
    optimizer.zero_grad()
    loss = criterion(model(images), labels)
    loss.backward()
    optimizer.step()
    if step % 50 == 49:
        with torch.no_grad():
            accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
        print(f"step {step + 1}: loss {loss.item():.4f} test accuracy {accuracy:.3f}")
