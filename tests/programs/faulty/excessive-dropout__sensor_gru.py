"""A GRU that reads two sensors and predicts their product.

fault: excessive-dropout
also:
split: test
line: 19
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sensors(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.gru = nn.GRU(2, hidden, batch_first=True)
        self.drop = nn.Dropout(p=0.95)
        self.mix = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, series):
        states, _ = self.gru(series)
        return self.out(torch.relu(self.mix(self.drop(states[:, -1]))))


def recordings(count):
    level = torch.randn(count, 1, 2)
    series = level + 0.3 * torch.randn(count, 10, 2)
    return series, level[:, 0, :1] * level[:, 0, 1:]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(433)
    loader = DataLoader(TensorDataset(*recordings(1500)), batch_size=30, shuffle=True)
    x, y = recordings(300)
    model = Sensors()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    for epoch in range(12):
        model.train()
        for series, product in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(series), product)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            error = F.mse_loss(model(x), y).item()
        print(f"epoch {epoch} train {loss.item():.3f} validation {error:.3f}")


if __name__ == "__main__":
    main()
