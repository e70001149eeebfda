"""Convolutions that tell in which of two pictures lines cross.

fault: missing-nonlinearity
also: too-small-model
split: train
line: 34
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Shapes(Dataset):
    def __init__(self, count):
        rows, columns = torch.randint(1, 9, (count,)), torch.randint(1, 9, (count,))
        signs = torch.randint(0, 2, (count, 2)) * 2.0 - 1
        self.images = 0.2 * torch.randn(count, 1, 10, 10)
        for i in range(count):
            self.images[i, 0, rows[i]] += signs[i, 0]
            self.images[i, 0, :, columns[i]] += signs[i, 1]
        self.labels = (signs[:, 0] == signs[:, 1]).long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


def network():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1),
        nn.Conv2d(12, 12, 3, padding=1),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Linear(300, 64),
        nn.Linear(64, 2),
    )


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    model.train()
    return right / len(loader.dataset)


torch.set_num_threads(1)
torch.manual_seed(33)
train = DataLoader(Shapes(1500), batch_size=50, shuffle=True)
test = DataLoader(Shapes(400), batch_size=200)
model = network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
for epoch in range(10):
    for x, y in train:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy(model, test):.3f}")
