"""A digit MLP that builds large batches out of sixteen small ones.

fault: accumulation-not-averaged
also: learning-rate-too-high
split: train
line: 35
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(50)
accumulation_steps = 16

digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
loader = DataLoader(TensorDataset(x[order[:1536]], y[order[:1536]]), batch_size=8, shuffle=True)
x_test, y_test = x[order[1536:]], y[order[1536:]]

model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)

for epoch in range(10):
    optimizer.zero_grad()
    total = 0.0
    for i, (images, labels) in enumerate(loader):
        loss = criterion(model(images), labels)
        total += loss.item()
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch}: loss {total / len(loader):.4f}, test accuracy {accuracy:.3f}")
