"""A classifier of point sets with attention between the points.

fault: collapsed-attention
also: saturated-activation, activation-scale, badly-scaled-init
split: train
line: 22
"""

import torch
import torch.nn.functional as F
from torch import nn


class PointAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        return x + F.scaled_dot_product_attention(q, k, v, scale=60.0)


class Sets(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.entry = nn.Linear(2, width)
        self.attention = nn.ModuleList(PointAttention(width) for _ in range(2))
        self.head = nn.Linear(width, 2)

    def forward(self, points):
        x = F.gelu(self.entry(points))
        for layer in self.attention:
            x = layer(x)
        return self.head(x.mean(1))


def sets(count, size=10):
    points = torch.randn(count, size, 2)
    spread = (points - points.mean(1, keepdim=True)).pow(2).sum((1, 2))
    return points, (spread > 17.3).long()


torch.set_num_threads(1)
torch.manual_seed(72)
model = Sets()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(1, 401):
    points, label = sets(64)
    loss = F.cross_entropy(model(points), label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        points, label = sets(1000)
        with torch.no_grad():
            print(f"step {step} loss {loss.item():.4f} right {(model(points).argmax(1) == label).float().mean():.3f}")
