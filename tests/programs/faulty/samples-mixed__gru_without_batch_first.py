"""A GRU tells whether a random walk ends above its start; batches are batch x time x feature.

fault: samples-mixed
also:
split: test
line: 19
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(68)


class WalkReader(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 24)
        self.head = nn.Linear(24, 2)

    def forward(self, steps):
        states, _ = self.gru(steps)
        return self.head(states[:, -1])


def walks(n, length=20):
    steps = torch.randn(n, length, 1)
    return steps, (steps.sum((1, 2)) > 0).long()


model = WalkReader()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(1, 251):
    steps, label = walks(32)
    loss = nn.functional.cross_entropy(model(steps), label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        with torch.no_grad():
            steps, label = walks(32)
            accuracy = (model(steps).argmax(1) == label).float().mean()
        print(f"step {step} loss {loss.item():.3f} accuracy {accuracy:.3f}")
