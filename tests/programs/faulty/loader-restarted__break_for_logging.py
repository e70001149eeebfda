"""A GRU regression in a Trainer class that logs the first batch of each epoch.

fault: loader-restarted
also:
split: train
line: 58
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class DampedWaves(Dataset):
    """Oscillations whose damping has to be found."""

    def __init__(self, count, length=25):
        t = torch.arange(length).float()
        self.damping = torch.rand(count, 1) * 0.2
        phase = torch.rand(count, 1) * 6.28
        waves = torch.exp(-self.damping * t) * torch.sin(0.9 * t + phase)
        self.waves = (waves + 0.02 * torch.randn(count, length)).unsqueeze(-1)

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, index):
        return self.waves[index], (self.damping[index] - 0.1) * 15


class DampingNet(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, waves):
        return self.out(self.gru(waves)[0].mean(1))


class Trainer:
    def __init__(self, model, train, valid):
        self.model = model
        self.train_loader = DataLoader(train, batch_size=32, shuffle=True)
        self.valid_loader = DataLoader(valid, batch_size=100)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.criterion = nn.SmoothL1Loss()

    def train_epoch(self, epoch, log_batches=1):
        for number, (waves, damping) in enumerate(self.train_loader):
            loss = self.criterion(self.model(waves), damping)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if number < log_batches:
                print(f"epoch {epoch} first loss {loss.item():.4f}", end=" ")
            else:
                break

    def validate(self):
        with torch.no_grad():
            errors = [self.criterion(self.model(w), d).item() for w, d in self.valid_loader]
        print(f"valid {sum(errors) / len(errors):.4f}")

    def fit(self, epochs):
        for epoch in range(epochs):
            self.train_epoch(epoch)
            self.validate()


torch.set_num_threads(1)
torch.manual_seed(79)
Trainer(DampingNet(), DampedWaves(800), DampedWaves(200)).fit(10)
