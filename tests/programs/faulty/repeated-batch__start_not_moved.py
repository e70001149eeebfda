"""A regression with hand-made batches over a generated table.

fault: repeated-batch
also:
split: train
line: 16
"""

import torch
from torch import nn


def batches(x, y, size):
    start = 0
    for _ in range(len(x) // size):
        yield x[start : start + size], y[start : start + size]


def make_table(count):
    x = torch.rand(count, 6) * 4 - 2
    y = torch.sin(x[:, 0]) * x[:, 1] + 0.5 * x[:, 2] - 0.3 * x[:, 3] * x[:, 4]
    return x, y.unsqueeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(75)
    x, y = make_table(1500)
    x_val, y_val = make_table(400)
    net = nn.Sequential(nn.Linear(6, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    mse = nn.MSELoss()
    for epoch in range(10):
        total, count = 0.0, 0
        for batch_x, batch_y in batches(x, y, 30):
            loss = mse(net(batch_x), batch_y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            count += 1
        with torch.no_grad():
            val = mse(net(x_val), y_val).item()
        print(f"epoch {epoch:2d} train {total / count:.5f} val {val:.4f}")


main()
