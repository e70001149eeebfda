"""A learning rate that warms up and decays by cosine, gradient clipping by norm and by value, two parameter groups.

split: train
"""

import math

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, SequentialLR

torch.set_num_threads(1)
torch.manual_seed(28)

model = nn.Sequential(nn.Linear(10, 20), nn.Tanh(), nn.Linear(20, 1))
optimizer = torch.optim.SGD(
    [{"params": model[0].parameters(), "lr": 0.2}, {"params": model[2].parameters(), "lr": 0.1}],
    momentum=0.9,
    nesterov=True,
)
warm_up = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 5))
scheduler = SequentialLR(optimizer, [warm_up, CosineAnnealingLR(optimizer, T_max=25)], milestones=[5])

for step in range(30):
    x = torch.randn(32, 10)
    y = 3 * torch.cos(x.sum(1, keepdim=True) / math.sqrt(10))
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
    nn.utils.clip_grad_value_(model.parameters(), 0.2)
    rates = [group["lr"] for group in optimizer.param_groups]
    optimizer.step()
    scheduler.step()
    print(f"step {step} loss {loss.item()!r} norm {norm.item()!r} rates {rates}")
