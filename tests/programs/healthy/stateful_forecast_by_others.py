"""Forecasts of streams, window by window, with a carried state.

split: train
"""

import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)
WINDOW, TOTAL = 25, 201


def signals(n):
    t = torch.arange(TOTAL).float()
    period = 10 + 20 * torch.rand(n, 1)
    slow = torch.sin(2 * math.pi * (t / period + torch.rand(n, 1)))
    fast = 0.5 * torch.sin(2 * math.pi * (3 * t / period + torch.rand(n, 1)))
    s = slow + fast + 0.05 * torch.randn(n, TOTAL)
    return (s / s.std(dim=1, keepdim=True)).unsqueeze(-1)


class Forecaster(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.cell = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        h, state = self.cell(x, state)
        return x + self.out(h), state


def windows(s):
    for a in range(0, TOTAL - 1, WINDOW):
        yield s[:, a:a + WINDOW], s[:, a + 1:a + WINDOW + 1]


train, test = signals(160), signals(40)
model = Forecaster()
opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[6, 9], gamma=0.3)

for epoch in range(1, 12):
    model.train()
    total, n = 0.0, 0
    for streams in train[torch.randperm(len(train))].split(20):
        state = None
        for x, y in windows(streams):
            if state is not None:
                state = tuple(s.detach() for s in state)
            pred, state = model(x, state)
            loss = nn.functional.mse_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item()
            n += 1
    sched.step()
    model.eval()
    with torch.no_grad():
        pred, _ = model(test[:, :-1])
        mse = (pred - test[:, 1:])[:, 30:].pow(2).mean()
        naive = (test[:, 30:-1] - test[:, 31:]).pow(2).mean()
    print(f"epoch {epoch:2d} train mse {total / n:.4f} test mse {mse:.4f} (last value: {naive:.4f})")
