"""Activity from a three-axis accelerometer: rows are time steps, columns are axes.

fault: scrambled-axes
also:
split: test
line: 40
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

STEPS, AXES, CLASSES = 60, 3, 6


def record(n, seed):
    """Activities: one of three axes carries the movement, slow or fast."""
    g = torch.Generator().manual_seed(seed)
    label = torch.randint(0, CLASSES, (n,), generator=g)
    t = torch.arange(STEPS) / STEPS
    x = torch.randn(n, STEPS, AXES, generator=g) * 0.7
    for i in range(n):
        axis, fast = int(label[i]) % 3, int(label[i]) // 3
        freq = (3 if not fast else 6) + torch.rand((), generator=g)
        phase = 2 * math.pi * torch.rand((), generator=g)
        x[i, :, axis] += torch.sin(2 * math.pi * freq * t + phase)
    return x, label


class ActivityNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(AXES, 24, 7, padding=3)
        self.conv2 = nn.Conv1d(24, 32, 7, padding=3)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(32, CLASSES)

    def forward(self, x):                    # (batch, time, axis)
        x = x.view(x.shape[0], AXES, STEPS)
        x = F.relu(self.conv1(x))
        x = F.max_pool1d(x, 2)
        x = F.relu(self.conv2(x))
        return self.fc(self.drop(x.mean(2)))


def loop(model, x, y, xv, yv, epochs=12, batch=50):
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        perm = torch.randperm(len(x))
        hist = []
        for start in range(0, len(x), batch):
            rows = perm[start:start + batch]
            logits = model(x[rows])
            loss = -F.log_softmax(logits, 1)[torch.arange(len(rows)), y[rows]].mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            hist.append(loss.item())
        model.eval()
        with torch.no_grad():
            acc = (model(xv).argmax(1) == yv).float().mean().item()
        print(f"{epoch:02d} loss={sum(hist) / len(hist):.4f} acc={acc:.4f}")
    return acc


if __name__ == "__main__":
    torch.manual_seed(17)
    x, y = record(3000, 1)
    xv, yv = record(600, 2)
    print(f"score {loop(ActivityNet(), x, y, xv, yv):.4f}")
