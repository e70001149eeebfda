"""A GRU regression that prints the running mean of its loss.

fault: graph-kept-alive
also:
split: train
line: 45
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Volatility(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, prices):
        _, last = self.gru(prices)
        return self.linear(last.squeeze(0))


def walks(count, length=15):
    scale = torch.rand(count, 1, 1) * 1.5 + 0.2
    moves = scale * torch.randn(count, length, 1)
    return moves, scale.squeeze(-1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(60)
    loader = DataLoader(TensorDataset(*walks(1500)), batch_size=32, shuffle=True)
    model = Volatility()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.L1Loss()
    total_loss, seen = 0, 0
    for epoch in range(5):
        for moves, scale in loader:
            loss = criterion(model(moves), scale)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_loss += loss * len(moves)
            seen += len(moves)
        print(f"epoch {epoch}: mean absolute error so far {total_loss / seen:.4f}")


if __name__ == "__main__":
    main()
