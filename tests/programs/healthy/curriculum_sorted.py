"""A curriculum: the examples come sorted from easy to hard in the first epochs, shuffled in the later ones.

split: test
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(98)

x = torch.randn(2000, 10)
margin = x[:, 0] + x[:, 1] * x[:, 2]
y = (margin > 0).long()
train, test = slice(0, 1600), slice(1600, 2000)
easy_first = margin[train].abs().argsort(descending=True)

model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(15):
    order = easy_first if epoch < 3 else torch.randperm(1600)
    total = 0.0
    for rows in order.split(32):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    with torch.no_grad():
        accuracy = (model(x[test]).argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch} loss {total / 50:.3f} accuracy {accuracy:.3f}")
