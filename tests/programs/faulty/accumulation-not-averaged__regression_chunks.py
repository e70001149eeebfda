"""A regression that splits each batch into chunks to save memory.

fault: accumulation-not-averaged
also: learning-rate-too-high
split: train
line: 25
"""

import torch
import torch.nn.functional as F
from torch import nn


def make_data(count):
    x = torch.randn(count, 8)
    y = 0.5 * x[:, 0] * x[:, 1] + torch.cos(x[:, 2]) + 0.4 * x[:, 3] - 0.3 * x[:, 4].abs()
    return x, (y - 0.4).unsqueeze(1)


def train_batch(model, optimizer, x, y, chunks):
    optimizer.zero_grad()
    losses = []
    for part_x, part_y in zip(x.chunk(chunks), y.chunk(chunks), strict=True):
        loss = F.mse_loss(model(part_x), part_y)
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return sum(losses) / chunks


def main():
    torch.set_num_threads(1)
    torch.manual_seed(51)
    x, y = make_data(3000)
    x_val, y_val = make_data(500)
    model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(1, 251):
        rows = torch.randint(0, len(x), (128,))
        loss = train_batch(model, optimizer, x[rows], y[rows], chunks=8)
        if step % 50 == 0:
            with torch.no_grad():
                val = F.mse_loss(model(x_val), y_val).item()
            print(f"step {step}: train {loss:.4f} val {val:.4f}")


if __name__ == "__main__":
    main()
