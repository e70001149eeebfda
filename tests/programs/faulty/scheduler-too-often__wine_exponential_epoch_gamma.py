"""Wine cultivars with exponential decay of the learning rate, written with a small fit function.

fault: scheduler-too-often
also:
split: test
line: 36
"""

import torch
from sklearn.datasets import load_wine
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(4)


def load():
    wine = load_wine()
    x = torch.tensor(wine.data, dtype=torch.float32)
    x = (x - x.mean(0)) / x.std(0)
    return random_split(TensorDataset(x, torch.tensor(wine.target)), [130, 48])


def fit(model, train_set, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scheduler = ExponentialLR(optimizer, gamma=0.8)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for x, y in DataLoader(train_set, batch_size=4, shuffle=True):
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
        print(f"epoch {epoch} last loss {loss.item():.4f}")


train_set, test_set = load()
model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
fit(model, train_set, epochs=15)
x, y = next(iter(DataLoader(test_set, batch_size=48)))
with torch.no_grad():
    print("test accuracy", (model(x).argmax(1) == y).float().mean().item())
