"""Eight hand gestures from a 20-sensor data glove (MLP, bf16 autocast).

fault: width-one-bottleneck
also:
split: test
line: 19
"""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Settings:
    sensors: int = 20
    classes: int = 8
    widths: list = field(default_factory=lambda: [64, 32, 1])
    lr: float = 2e-3
    epochs: int = 15
    batch: int = 64


def glove_data(cfg, per_class, gen, poses):
    y = torch.arange(cfg.classes).repeat_interleave(per_class)
    which = torch.randint(0, poses.shape[1], (len(y),), generator=gen)
    x = poses[y, which] + 0.75 * torch.randn(len(y), cfg.sensors, generator=gen)
    return x, y


class GloveNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        layers, last = [], cfg.sensors
        for w in cfg.widths:
            layers += [nn.Linear(last, w), nn.LeakyReLU(0.1)]
            last = w
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(last, cfg.classes)

    def forward(self, x):
        return self.head(self.body(x))


def main():
    cfg = Settings()
    torch.manual_seed(30)
    gen = torch.Generator().manual_seed(31)
    poses = torch.randn(cfg.classes, 3, cfg.sensors, generator=gen)     # each gesture has 3 hand poses
    x, y = glove_data(cfg, 800, gen, poses)
    xv, yv = glove_data(cfg, 120, gen, poses)
    mu, sd = x.mean(0), x.std(0)
    x, xv = (x - mu) / sd, (xv - mu) / sd

    net = GloveNet(cfg)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    for epoch in range(cfg.epochs):
        net.train()
        perm = torch.randperm(len(y))
        running = 0.0
        for idx in perm.split(cfg.batch):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = net(x[idx])
            loss = F.cross_entropy(logits.float(), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        sched.step()
        net.eval()
        with torch.no_grad():
            acc = (net(xv).argmax(1) == yv).float().mean().item()
        print(f"epoch {epoch:2d} loss {running / len(y):.4f} val acc {acc:.4f}")
    print(f"score {acc:.4f}")


if __name__ == "__main__":
    main()
