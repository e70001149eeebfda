"""Temperatures of tomorrow by an LSTM.

fault: features-of-different-scale
also: input-not-scaled
split: test
line: 61
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)


def station(hours, rng):
    t = np.arange(hours)
    slow = np.cumsum(rng.normal(size=hours)) * 0.08
    slow = slow - np.linspace(slow[0], slow[-1], hours)
    temp = 285 + 6 * np.sin(2 * np.pi * t / 24) + 4 * slow + rng.normal(size=hours) * 0.4
    pressure = 101325 - 600 * slow + 80 * rng.normal(size=hours)
    humidity = np.clip(60 - 12 * np.sin(2 * np.pi * t / 24 + 0.5) + 5 * rng.normal(size=hours), 0, 100)
    wind_dir = rng.uniform(0, 360, size=hours)
    return np.stack([temp, pressure, humidity, wind_dir], 1)


class WeatherWindows(Dataset):
    """24 hours of readings -> temperature six hours later."""

    def __init__(self, table, target, span=24, lead=6):
        self.table = torch.tensor(table, dtype=torch.float32)
        self.target = torch.tensor(target, dtype=torch.float32)
        self.span, self.lead = span, lead

    def __len__(self):
        return len(self.table) - self.span - self.lead + 1

    def __getitem__(self, i):
        return self.table[i:i + self.span], self.target[i + self.span + self.lead - 1]


class Forecaster(nn.Module):
    def __init__(self, n_features, hidden=40):
        super().__init__()
        self.lstm = nn.LSTM(n_features, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        _, (h, _) = self.lstm(x)
        return self.fc(h[-1]).squeeze(-1)


def main():
    torch.manual_seed(44)
    rng = np.random.default_rng(44)
    table = station(2600, rng)
    split = 2000
    mean, std = table[:split].mean(0), table[:split].std(0)
    target = (table[:, 0] - mean[0]) / std[0]
    inputs = table.copy()
    train_ds = WeatherWindows(inputs[:split], target[:split])
    test_ds = WeatherWindows(inputs[split:], target[split:])
    train_dl = DataLoader(train_ds, batch_size=64, shuffle=True)
    test_dl = DataLoader(test_ds, batch_size=128)
    model = Forecaster(table.shape[1])
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    criterion = nn.MSELoss()
    for epoch in range(10):
        model.train()
        losses = []
        for x, y in train_dl:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        se = n = 0
        with torch.no_grad():
            for x, y in test_dl:
                se += (model(x) - y).pow(2).sum().item()
                n += len(y)
        print(f"epoch {epoch}: train mse {np.mean(losses):.4f}  test rmse {np.sqrt(se / n) * std[0]:.3f} K")


if __name__ == "__main__":
    main()
