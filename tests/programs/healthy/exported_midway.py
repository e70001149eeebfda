"""Exports and traces its model in the middle of the training, as those do who deploy every checkpoint.

split: train
"""

import copy

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)
x = torch.randn(512, 8)
y = (x[:, 0] > 0).long() + (x[:, 1] * x[:, 2] > 0).long()
model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(30):
    model.train()
    for rows in torch.randperm(448).split(64):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch in (4, 20):
        exported = torch.export.export(model, (x[:4],))
        traced = torch.jit.trace(model, x[:4])
        same = (exported.module()(x[:4]) - traced(x[:4])).abs().max().item()
        print(f"exported {len(exported.graph.nodes)} nodes, {same:.1e} apart", len(copy.deepcopy(model).state_dict()))
    model.eval()
    with torch.no_grad():
        right = (model(x[448:]).argmax(1) == y[448:]).float().mean().item()
print(f"{loss.item():.6f} {right:.3f}")
