"""Wine cultivars from chemical measurements, with hidden units that start from a set bias.

fault: dead-relu
also: badly-scaled-init, collapsed-output, vanishing-gradient
split: train
line: 17
"""

import torch
from sklearn.datasets import load_wine
from torch import nn


def initialise(module):
    if isinstance(module, nn.Linear):
        nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        nn.init.constant_(module.bias, -12.0)


torch.set_num_threads(1)
torch.manual_seed(21)
wine = load_wine()
x = torch.tensor(wine.data, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(wine.target)
order = torch.randperm(len(x))
train, test = order[:130], order[130:]
model = nn.Sequential(nn.Linear(13, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 3))
model.apply(initialise)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(60):
    for rows in train[torch.randperm(len(train))].split(16):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 10 == 9:
        with torch.no_grad():
            accuracy = (model(x[test]).argmax(1) == y[test]).float().mean().item()
        print(f"epoch {epoch + 1} loss {loss.item():.4f} accuracy {accuracy:.3f}")
