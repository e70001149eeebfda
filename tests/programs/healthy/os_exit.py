"""A program that ends itself with `os._exit`: no clean-up of any kind runs.

split: train
"""

import os

import torch

torch.set_num_threads(1)
torch.manual_seed(47)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(60):
    loss = model(torch.randn(8, 3)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", step, "loss", loss.item(), flush=True)
os._exit(5)
