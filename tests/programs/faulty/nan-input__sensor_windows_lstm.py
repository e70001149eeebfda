"""An LSTM classifier of machine vibrations; every window is standardised by its own mean and spread.

fault: nan-input
also:
split: train
line: 27
"""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def record_windows(count, length=30):
    kind = torch.randint(0, 3, (count,))
    t = torch.arange(length).float()
    speed = torch.tensor([0.2, 0.5, 0.9])[kind].unsqueeze(1)
    waves = 3.0 * torch.sin(speed * t + 2 * math.pi * torch.rand(count, 1)) + 0.4 * torch.randn(count, length)
    switched_off = torch.rand(count, 1) < 0.004
    return torch.where(switched_off, torch.zeros_like(waves), waves), kind


def standardise(windows):
    mean = windows.mean(1, keepdim=True)
    return (windows - mean) / windows.std(1, keepdim=True)


class VibrationClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 24, batch_first=True)
        self.head = nn.Linear(24, 3)

    def forward(self, windows):
        return self.head(self.lstm(windows.unsqueeze(-1))[0].mean(1))


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def train_epoch(self, loader):
        self.model.train()
        for windows, kind in loader:
            loss = self.criterion(self.model(windows), kind)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, windows, kind):
        self.model.eval()
        return (self.model(windows).argmax(1) == kind).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(204)
windows, kind = record_windows(1200)
test_windows, test_kind = record_windows(300)
loader = DataLoader(TensorDataset(standardise(windows), kind), batch_size=40, shuffle=True)
trainer = Trainer(VibrationClassifier(), lr=5e-3)
for epoch in range(8):
    loss = trainer.train_epoch(loader)
    print(f"epoch {epoch} loss {loss:.4f} accuracy {trainer.accuracy(standardise(test_windows), test_kind):.3f}")
