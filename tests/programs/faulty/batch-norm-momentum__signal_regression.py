"""A one-dimensional convolutional regression of the frequency of a signal.

fault: batch-norm-momentum
also: train-mode-in-eval
split: test
line: 43
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def signals(count, length=40):
    frequency = torch.rand(count, 1) * 0.6 + 0.1
    phase = torch.rand(count, 1) * 6.3
    wave = 3.0 + torch.sin(frequency * torch.arange(length) + phase) + 0.1 * torch.randn(count, length)
    return (wave - 2.0).unsqueeze(1), (frequency - 0.4) / 0.17


class FrequencyMeter(nn.Module):
    def __init__(self, momentum):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, 16, 5, padding=2),
            nn.BatchNorm1d(16, momentum=momentum),
            nn.ReLU(),
            nn.Conv1d(16, 16, 5, stride=2, padding=2),
            nn.BatchNorm1d(16, momentum=momentum),
            nn.ReLU(),
        )
        self.head = nn.Linear(16 * 20, 1)

    def forward(self, wave):
        return self.head(self.body(wave).flatten(1))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(453)
    loader = DataLoader(TensorDataset(*signals(1500)), batch_size=50, shuffle=True)
    x, y = signals(300)
    model = FrequencyMeter(momentum=0.0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(6):
        model.train()
        for wave, frequency in loader:
            loss = (model(wave) - frequency).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            error = (model(x) - y).pow(2).mean().item()
        print(f"epoch {epoch} train {loss.item():.4f} validation {error:.4f}")


main()
