"""A wide network on digits with dropout after every hidden layer.

fault: excessive-dropout
also:
split: train
line: 23
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(431)
images, labels = load_digits(return_X_y=True)
x = torch.tensor((images - images.mean()) / images.std(), dtype=torch.float32)
y = torch.tensor(labels)
order = torch.randperm(len(x))
x, y = x[order], y[order]
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), batch_size=50, shuffle=True)

DROP = 0.97
model = nn.Sequential(
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Dropout(DROP),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Dropout(DROP),
    nn.Linear(64, 10),
)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(10):
    model.train()
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
