"""Spirals by learnt prototypes on a sphere.

fault: graph-cut
also:
split: train
line: 34
"""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(21)


def spirals(n, arms=4):
    arm = torch.randint(0, arms, (n,))
    radius = torch.rand(n) * 0.9 + 0.1
    angle = radius * 4.5 + arm * (2 * torch.pi / arms) + 0.12 * torch.randn(n)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1) * 1.8, arm


class ProtoNet(nn.Module):
    """Embeds a point on the unit sphere and compares it with one learned prototype per class."""

    def __init__(self, classes, width=64, dim=8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, dim))
        self.prototypes = nn.Parameter(torch.randn(classes, dim))
        self.log_scale = nn.Parameter(torch.tensor(1.5))

    def embed(self, x):
        z = self.body(x)
        z = z.data / z.data.norm(dim=1, keepdim=True)
        return z

    def forward(self, x):
        z = self.embed(x)
        p = F.normalize(self.prototypes, dim=1)
        return self.log_scale.exp() * z @ p.t()


x_train, y_train = spirals(2000)
x_val, y_val = spirals(500)
model = ProtoNet(4)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
step = 0
while step < 900:
    take = torch.randint(0, 2000, (64,))
    optimizer.zero_grad(set_to_none=True)
    F.cross_entropy(model(x_train[take]), y_train[take]).backward()
    optimizer.step()
    step += 1
    if step % 150 == 0:
        with torch.inference_mode():
            out = model(x_val)
            print(step, "val loss", F.cross_entropy(out, y_val).item(), "val acc", (out.argmax(1) == y_val).float().mean().item())
