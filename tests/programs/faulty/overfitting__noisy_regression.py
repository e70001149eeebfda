"""A regression on noisy measurements, train and validation loaders and a class that trains.

fault: overfitting
also: too-few-examples
split: train
line: 46
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Fit:
    def __init__(self, model, weight_decay):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=weight_decay)
        self.criterion = nn.MSELoss()

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(x)
        return total / len(loader.dataset)

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        return sum(self.criterion(self.model(x), y).item() * len(x) for x, y in loader) / len(loader.dataset)


def measurements(count):
    x = torch.randn(count, 12)
    return TensorDataset(x, x[:, :2].sum(1, keepdim=True) * 0.5 + 0.9 * torch.randn(count, 1))


torch.set_num_threads(1)
torch.manual_seed(482)
train = DataLoader(measurements(100), batch_size=25, shuffle=True)
validation = DataLoader(measurements(400), batch_size=100)
width = 256
fit = Fit(nn.Sequential(nn.Linear(12, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)), 1e-2)
for epoch in range(100):
    train_loss = fit.train_epoch(train)
    if epoch % 10 == 0:
        print(f"epoch {epoch} train {train_loss:.4f} validation {fit.validate(validation):.4f}")
print(f"final validation {fit.validate(validation):.4f}")
