"""The MLP workload as a plain script, because TrainCheck rewrites a script. Prints the seconds of each step."""

# mypy: allow-untyped-calls

import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    batches = [(torch.randn(64, 784), torch.randint(10, (64,))) for _ in range(4)]
    for number in range(20):
        inputs, targets = batches[number % 4]
        cpu, wall = time.process_time(), time.perf_counter()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
        print("seconds", time.process_time() - cpu, time.perf_counter() - wall, file=sys.stderr, flush=True)


main()
