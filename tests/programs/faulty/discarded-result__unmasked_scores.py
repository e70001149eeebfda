"""Which of several readings is the largest? Attention over sets of any size, filled up with noise.

fault: discarded-result
also:
split: train
line: 29
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)
WIDTH, MOST = 24, 10


class SetPool(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(1, WIDTH), nn.ReLU())
        self.score = nn.Linear(WIDTH, 4)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.head = nn.Sequential(nn.Linear(4 * WIDTH, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, readings, lengths):
        hidden = self.embed(readings)
        scores = self.score(hidden)
        outside = torch.arange(readings.shape[1]) >= lengths[:, None]
        scores.masked_fill(outside.unsqueeze(-1), float("-inf"))
        weights = scores.softmax(1)
        pooled = torch.einsum("blh,bld->bhd", weights, self.value(hidden))
        return self.head(pooled.flatten(1)).squeeze(-1)


def draw(count):
    readings = 2 * torch.randn(count, MOST, 1)
    lengths = torch.randint(1, 5, (count,))
    inside = torch.arange(MOST) < lengths[:, None]
    return readings, lengths, readings.squeeze(-1).masked_fill(~inside, float("-inf")).amax(1)


model = SetPool()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(600):
    readings, lengths, largest = draw(64)
    loss = nn.functional.mse_loss(model(readings, lengths), largest)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 99:
        print(step + 1, round(loss.item(), 4))
