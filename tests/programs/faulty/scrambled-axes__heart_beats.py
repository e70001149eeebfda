"""Beats in signals of several channels.

fault: scrambled-axes
also: 
split: test
line: 50
"""

import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(30)

T = 96


def traces(n):
    t = torch.arange(T).float()
    signal = 0.5 * torch.randn(n, 2, T)
    marks = torch.zeros(n, T)
    for i in range(n):
        pos = int(torch.randint(3, 15, (1,)))
        while pos < T - 3:
            height = 2.5 + torch.rand(1).item()
            bump = height * torch.exp(-((t - pos) ** 2) / 2)
            signal[i, 0] += bump
            signal[i, 1] -= 0.8 * torch.roll(bump, 1)
            marks[i, pos - 1:pos + 2] = 1.0
            pos += int(torch.randint(12, 26, (1,)))
        signal[i] += 0.4 * torch.sin(2 * math.pi * t / T + torch.rand(1) * 6)
    return signal, marks


class BeatNet(nn.Module):
    def __init__(self, channels=24):
        super().__init__()
        self.channels = channels
        self.conv = nn.Sequential(
            nn.Conv1d(2, channels, 7, padding=3), nn.SiLU(),
            nn.Conv1d(channels, channels, 5, padding=2), nn.SiLU(),
        )
        self.gru = nn.GRU(channels, 24, batch_first=True, bidirectional=True)
        self.score = nn.Linear(48, 1)

    def forward(self, x):
        h = self.conv(x)
        h = h.reshape(x.size(0), x.size(2), self.channels)
        h, _ = self.gru(h)
        return self.score(h).squeeze(-1)


def f1(model, x, marks):
    model.eval()
    with torch.no_grad():
        guess = model(x) > 0
    real = marks > 0.5
    tp = (guess & real).sum().item()
    return 2 * tp / max(guess.sum().item() + real.sum().item(), 1)


x_train, m_train = traces(400)
x_test, m_test = traces(100)
mu = x_train.mean(dim=(0, 2), keepdim=True)
sd = x_train.std(dim=(0, 2), keepdim=True)
x_train, x_test = (x_train - mu) / sd, (x_test - mu) / sd

model = BeatNet()
opt = torch.optim.Adamax(model.parameters(), lr=4e-3)
lossf = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(3.0))
for epoch in range(1, 11):
    model.train()
    losses = []
    for ids in torch.randperm(len(x_train)).split(40):
        opt.zero_grad()
        loss = lossf(model(x_train[ids]), m_train[ids])
        loss.backward()
        opt.step()
        losses.append(loss.item())
    print(f"epoch {epoch:2d} loss {sum(losses) / len(losses):.4f} test F1 {f1(model, x_test, m_test):.3f}")
