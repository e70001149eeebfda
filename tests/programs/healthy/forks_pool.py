"""A pool of forked processes prepares data between the epochs of training.

split: train
"""

import multiprocessing

import torch
from torch import nn


def prepare(seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(16, 4, generator=generator).tolist()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(23)
    model = nn.Linear(4, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(3):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            rows = pool.map(prepare, range(epoch * 8, epoch * 8 + 8))
        for row in rows:
            batch = torch.tensor(row)
            loss = nn.functional.mse_loss(model(batch), batch.flip(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(epoch, "loss", loss.item(), flush=True)


if __name__ == "__main__":
    main()
