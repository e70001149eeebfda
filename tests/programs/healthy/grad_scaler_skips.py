"""A gradient scaler on float16: its first scale is far too high, so it leaves out some updates and lowers the scale.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)

model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**22, growth_interval=8)

skipped = 0
for step in range(30):
    inputs = torch.randn(32, 16)
    targets = inputs[:, :1] * 2 - 1
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = nn.functional.mse_loss(model(inputs), targets)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    scale = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    left_out = scaler.get_scale() < scale
    skipped += left_out
    print(f"step {step} loss {loss.item()!r} scale {scale} {'skipped' if left_out else 'done'}")
print("updates left out:", skipped)
