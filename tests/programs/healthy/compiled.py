"""A model wrapped by `torch.compile` before training.

split: train
"""

import torch
from torch import nn


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    compiled = torch.compile(model, backend="aot_eager")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(64, 8)
    y = (x[:, 0] * x[:, 1] > 0).long()
    for step in range(20):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(compiled(x), y)
        loss.backward()
        optimizer.step()
        print(f"step {step} loss {loss.item()!r}")


if __name__ == "__main__":
    main()
