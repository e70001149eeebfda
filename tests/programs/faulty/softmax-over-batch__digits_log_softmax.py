"""A digit MLP with a LogSoftmax layer and the negative log likelihood.

fault: softmax-over-batch
also: samples-mixed
split: train
line: 26
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(112)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), batch_size=20, shuffle=True)
test_loader = DataLoader(TensorDataset(x[1400:], y[1400:]), batch_size=1)

model = nn.Sequential(
    nn.Linear(64, 48),
    nn.ReLU(),
    nn.Linear(48, 10),
    nn.LogSoftmax(dim=0),
)
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(4):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        hits = sum((model(image).argmax(1) == label).item() for image, label in test_loader)
    print(f"epoch {epoch}: loss {loss.item():.4f} test accuracy {hits / len(test_loader):.3f}")
