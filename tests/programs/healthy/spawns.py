"""A spawned process (a fresh interpreter that imports this file again) trains a second model beside the first.

split: train
"""

import multiprocessing

import torch
from torch import nn


def train(seed, steps):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(steps):
        x = torch.randn(12, 5)
        loss = nn.functional.mse_loss(model(x), x[:, :1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def answer(seed, steps, results):
    results.put(train(seed, steps))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=answer, args=(46, 20, results))
    process.start()
    for loss in train(45, 20):
        print("loss", loss)
    print("child", results.get()[-1])
    process.join()
    print("child ended with", process.exitcode)
