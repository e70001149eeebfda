"""How much ink a digit holds, by a convolutional network.

fault: misplaced-batch-norm
also:
split: train
line: 18
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def make_model():
    layers = [nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten()]
    layers += [nn.Linear(128, 32), nn.ReLU(), nn.Linear(32, 1)]
    layers.append(nn.BatchNorm1d(1, affine=False))
    return nn.Sequential(*layers)


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(nn.functional.mse_loss(model(x), y).item() for x, y in loader) / len(loader)


torch.set_num_threads(1)
torch.manual_seed(133)
images = torch.tensor(load_digits().images, dtype=torch.float32)[:, None] / 16
ink = images.sum((1, 2, 3)).unsqueeze(1) / 8 - 1
train_set, test_set = random_split(TensorDataset(images, ink), [1400, len(ink) - 1400])
train, test = DataLoader(train_set, batch_size=50, shuffle=True), DataLoader(test_set, batch_size=100)
model = make_model()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(8):
    model.train()
    for x, y in train:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f} test {evaluate(model, test):.4f}")
