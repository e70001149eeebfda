"""Convolutional denoiser for line drawings, with EMA weights for evaluation.

split: train
"""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def drawings(n, gen, size=20):
    t = torch.linspace(0, 1, 60)
    img = torch.zeros(n, 1, size, size)
    ends = torch.randint(1, size - 1, (n, 2, 2, 2), generator=gen).float()
    for i in range(n):
        for a, b in ends[i]:
            pts = (a + (b - a) * t[:, None]).round().long()
            img[i, 0, pts[:, 0], pts[:, 1]] = 1.0
    return img


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 1, 3, padding=1),
        )

    def forward(self, x):
        return x + self.net(x)


def main():
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(3)
    train, val = drawings(1500, gen), drawings(200, gen)
    noisy_val = val + 0.4 * torch.randn(val.shape, generator=gen)
    model = Denoiser()
    ema = copy.deepcopy(model).requires_grad_(False)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 480)
    base = F.mse_loss(noisy_val, val).item()
    step = 0
    for epoch in range(10):
        for idx in torch.randperm(len(train)).split(32):
            clean = train[idx]
            loss = F.mse_loss(model(clean + 0.4 * torch.randn_like(clean)), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            step += 1
            decay = min(0.99, (1 + step) / (10 + step))
            with torch.no_grad():
                for p, q in zip(ema.parameters(), model.parameters()):
                    p.lerp_(q, 1 - decay)
        with torch.no_grad():
            err = F.mse_loss(ema(noisy_val), val).item()
        print(f"epoch {epoch} train mse {loss.item():.4f} val mse (ema) {err:.4f}  noisy {base:.4f}")
    print(f"score (mse) {err:.4f}")


if __name__ == "__main__":
    main()
