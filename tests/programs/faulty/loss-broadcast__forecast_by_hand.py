"""A GRU that forecasts a noisy oscillator, with a loss written out of tensor operations.

fault: loss-broadcast
also:
split: train
line: 39
"""

import torch
from torch import nn


class Forecast(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.rnn(x)[0][:, -1])


def oscillators(count, length=16):
    t = torch.arange(length + 1).float()
    wave = torch.sin(0.6 * t + torch.rand(count, 1) * 6.28) * (0.5 + torch.rand(count, 1))
    wave = wave + 0.05 * torch.randn(count, length + 1)
    return wave[:, :-1, None], wave[:, -1]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(116)
    model = Forecast()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    test_x, test_y = oscillators(400)
    for step in range(1, 301):
        x, y = oscillators(48)
        prediction = model(x)
        loss = ((prediction - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            with torch.no_grad():
                error = (model(test_x)[:, 0] - test_y).abs().mean().item()
            print(f"step {step}: loss {loss.item():.4f} mean absolute error {error:.4f}")


if __name__ == "__main__":
    main()
