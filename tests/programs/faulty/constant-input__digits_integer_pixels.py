"""A multilayer perceptron on handwritten digits with batches cut by hand.

fault: constant-input
also:
split: train
line: 18
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(200)

digits = load_digits()
pixels = torch.tensor(digits.data * 15).to(torch.uint8)
x = (pixels // 255).float()
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]

model = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(10):
    for rows in train[torch.randperm(len(train))].split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[test]).argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
