"""Training that stops early through `sys.exit` with a status of its own, and says goodbye in an atexit handler.

split: train
"""

import atexit
import sys

import torch

atexit.register(print, "goodbye")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(33)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        x = torch.randn(16, 4)
        loss = (model(x) - x.sum(1, keepdim=True)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"step {step} loss {loss.item()!r}")
        if loss.item() < 0.6:
            print("good enough")
            sys.exit(7)


if __name__ == "__main__":
    main()
