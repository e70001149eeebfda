"""Embeddings of digits by the distances of all pairs of a batch, under mixed precision with a gradient scaler.

fault: loss-scale-collapse
also:
split: train
line: 28
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(501)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor((x - x.mean()) / x.std(), dtype=torch.float32), torch.tensor(y)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]

net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)
for epoch in range(10):
    for rows in train[torch.randperm(len(train))].split(50):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            embedded = net(x[rows])
        gaps = embedded.float().unsqueeze(1) - embedded.float().unsqueeze(0)
        distance = gaps.pow(2).sum(-1).sqrt()
        same = y[rows].unsqueeze(1) == y[rows].unsqueeze(0)
        loss = torch.where(same, distance, (3.0 - distance).relu()).pow(2).mean()
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    with torch.no_grad():
        known, asked = net(x[train]), net(x[test])
        right = (y[train][torch.cdist(asked, known).argmin(1)] == y[test]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} nearest right {right:.3f}")
