"""A two-branch network for images that come with a table of measurements.

fault: unused-parameter
also:
split: train
line: 18
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TwoBranch(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 16, 16))
        self.table = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 16))
        self.join = nn.Sequential(nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, image, table):
        parts = {"image": self.image(image), "table": self.table(table)}
        return self.join(torch.cat([parts["image"], parts["image"]], dim=1))


def make_patients(count):
    side = torch.randint(0, 2, (count,))
    image = 0.5 * torch.randn(count, 1, 10, 10)
    image[torch.arange(count), 0, :, side * 9] += 1.5
    table = torch.randn(count, 6)
    risk = (table[:, 0] + table[:, 1] * table[:, 2] > 0).long()
    return TensorDataset(image, table, side * 2 + risk)


def accuracy(model, dataset):
    image, table, label = dataset.tensors
    with torch.no_grad():
        return (model(image, table).argmax(1) == label).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(25)
train, test = make_patients(1600), make_patients(400)
model = TwoBranch()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(10):
    for image, table, label in DataLoader(train, batch_size=40, shuffle=True):
        loss = criterion(model(image, table), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.3f} test {accuracy(model, test):.3f}")
