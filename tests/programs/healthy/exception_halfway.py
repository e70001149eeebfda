"""Training that ends in an error of the program's own after twelve steps.

split: train
"""

import torch
from torch import nn


class WrongShape(ValueError):
    pass


def check(batch):
    if batch.shape[1] != 8:
        raise WrongShape(f"expected 8 features, got {batch.shape[1]}")
    return batch


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(30):
        batch = check(torch.randn(16, 8 if step < 12 else 9))
        loss = (model(batch) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("step", step, "loss", loss.item(), flush=True)


main()
