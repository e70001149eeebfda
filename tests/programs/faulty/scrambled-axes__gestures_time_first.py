"""Tells gestures apart in recordings of four channels with an LSTM that reads time first.

fault: scrambled-axes
also: samples-mixed
split: train
line: 41
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(77)

CHANNELS, STEPS, CLASSES = 4, 30, 4


def record(n):
    """recordings of shape (n, STEPS, CHANNELS): a bump wanders over the channels"""
    y = torch.randint(CLASSES, (n,))
    t = torch.arange(STEPS).float()
    centre = 8 + 14 * torch.rand(n, 1)
    rank = torch.tensor([[0.0, 1, 2, 3], [3.0, 2, 1, 0], [0.0, 2, 1, 3], [1.0, 3, 0, 2]])[y]
    c = centre + 4 * (rank - 1.5)
    x = torch.exp(-((t.view(1, 1, -1) - c.unsqueeze(-1)) ** 2) / 6)
    x = x * (0.7 + 0.6 * torch.rand(n, CHANNELS, 1)) + 0.15 * torch.randn(n, CHANNELS, STEPS)
    x = x.permute(0, 2, 1).contiguous()
    return (x - x.mean()) / x.std(), y


class GestureLSTM(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(CHANNELS, hidden)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(hidden, CLASSES)

    def forward(self, x):
        batch, steps, feats = x.shape
        x = x.view(steps, batch, feats)
        out, (h, c) = self.lstm(x)
        return self.fc(self.drop(h[-1]))


x_train, y_train = record(1000)
x_val, y_val = record(400)
model = GestureLSTM()
opt = torch.optim.RMSprop(model.parameters(), lr=3e-3)

best = 0.0
for epoch in range(12):
    model.train()
    losses = []
    for idx in torch.randperm(len(x_train)).split(32):
        opt.zero_grad()
        loss = F.cross_entropy(model(x_train[idx]), y_train[idx])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        val = model(x_val)
        acc = (val.argmax(-1) == y_val).float().mean().item()
    best = max(best, acc)
    print(
        "epoch %2d | train loss %.3f | val loss %.3f | val acc %.3f"
        % (epoch, sum(losses) / len(losses), F.cross_entropy(val, y_val).item(), acc)
    )
print("best", best)
