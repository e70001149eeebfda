"""Dilated causal convolutions predicting the next sample of noisy mixed waves.

split: train
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalConv(nn.Module):
    def __init__(self, cin, cout, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(cin, cout, 3, dilation=dilation)

    def forward(self, x):
        return self.conv(F.pad(x, (self.pad, 0)))


class TCN(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.inp = CausalConv(1, width, 1)
        self.layers = nn.ModuleList([CausalConv(width, width, d) for d in (2, 4, 8)])
        self.out = nn.Conv1d(width, 1, 1)

    def forward(self, x):
        h = self.inp(x)
        for layer in self.layers:
            h = h + F.relu(layer(h))
        return self.out(h)


def waves(n, length=80):
    t = torch.arange(length).float()
    period = 8 + 12 * torch.rand(n, 2, 1)
    amp = 0.5 + torch.rand(n, 2, 1)
    phase = 2 * math.pi * torch.rand(n, 2, 1)
    x = (amp * torch.sin(2 * math.pi * t / period + phase)).sum(1, keepdim=True)
    return x + 0.05 * torch.randn_like(x)


def main():
    torch.manual_seed(0)
    train, test = waves(1200), waves(300)
    model = TCN()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 12)
    warm = 20  # first samples have too little history
    for epoch in range(12):
        model.train()
        total = 0.0
        for xb in train[torch.randperm(len(train))].split(40):
            pred = model(xb[:, :, :-1])
            loss = F.mse_loss(pred[:, :, warm:], xb[:, :, warm + 1:])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        print(f"epoch {epoch + 1} train mse {total / len(train):.4f}")
    model.eval()
    with torch.no_grad():
        target = test[:, :, warm + 1:]
        mse = F.mse_loss(model(test[:, :, :-1])[:, :, warm:], target)
        naive = F.mse_loss(test[:, :, warm:-1], target)
    print(f"test mse {mse:.4f}  (repeat-last baseline {naive:.4f})")


if __name__ == "__main__":
    main()
