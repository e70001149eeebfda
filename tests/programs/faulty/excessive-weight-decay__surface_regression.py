"""A regression of a surface with Adam and an L2 penalty, batches drawn at random.

fault: excessive-weight-decay
also: collapsed-output
split: test
line: 33
"""

import torch
from torch import nn


def surface(count):
    xy = torch.rand(count, 2) * 2 - 1
    z = torch.sin(3 * xy[:, :1]) * xy[:, 1:] * 2
    return xy * 1.7, z


class Surface(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.inner = nn.Linear(2, width)
        self.middle = nn.Linear(width, width)
        self.outer = nn.Linear(width, 1)

    def forward(self, xy):
        return self.outer(torch.tanh(self.middle(torch.tanh(self.inner(xy)))))


torch.set_num_threads(1)
torch.manual_seed(423)
model = Surface()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=0.3)
x, z = surface(2000)
x_test, z_test = surface(500)
for step in range(1, 601):
    rows = torch.randint(0, len(x), (64,))
    loss = ((model(x[rows]) - z[rows]) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        with torch.no_grad():
            error = ((model(x_test) - z_test) ** 2).mean().item()
        print(f"step {step} error {error:.4f}")
