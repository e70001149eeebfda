"""A diffusion model of points in a plane.

split: test
"""

from dataclasses import dataclass
import torch
import torch.nn as nn


@dataclass
class Cfg:
    T: int = 40
    steps: int = 1200
    batch: int = 256
    lr: float = 4e-3
    ema: float = 0.99


class Eps(nn.Module):
    def __init__(self, T, h=96):
        super().__init__()
        self.t = nn.Embedding(T, h)
        self.x = nn.Linear(10, h)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2))

    def forward(self, x, t):
        f = torch.cat([x, torch.sin(2 * x), torch.cos(2 * x), torch.sin(4 * x), torch.cos(4 * x)], 1)
        return self.mid(self.x(f) + self.t(t))


def ring(n):
    k = torch.randint(0, 6, (n,)) * (2 * torch.pi / 6)
    return torch.stack([k.cos(), k.sin()], 1) * 1.4 + 0.14 * torch.randn(n, 2)


def main():
    cfg = Cfg()
    torch.set_num_threads(1)
    torch.manual_seed(13)
    beta = torch.linspace(1e-3, 0.2, cfg.T)
    alpha = 1 - beta
    abar = alpha.cumprod(0)
    net = Eps(cfg.T)
    avg = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(cfg.ema))
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=0.0)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=cfg.steps)
    run = 0.0
    for it in range(1, cfg.steps + 1):
        x0 = ring(cfg.batch)
        t = torch.randint(0, cfg.T, (cfg.batch,))
        noise = torch.randn_like(x0)
        xt = abar[t, None].sqrt() * x0 + (1 - abar[t, None]).sqrt() * noise
        loss = (net(xt, t) - noise).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        avg.update_parameters(net)
        run += loss.item()
        if it % 200 == 0:
            print(f"{it:4d} noise mse {run / 200:.4f}")
            run = 0.0

    avg.eval()
    x = torch.randn(600, 2)
    with torch.no_grad():
        for s in reversed(range(cfg.T)):
            t = torch.full((len(x),), s)
            e = avg(x, t)
            x = (x - beta[s] / (1 - abar[s]).sqrt() * e) / alpha[s].sqrt()
            if s:
                x = x + beta[s].sqrt() * torch.randn_like(x)
    ang = torch.arange(6) * (2 * torch.pi / 6)
    modes = 1.4 * torch.stack([ang.cos(), ang.sin()], 1)
    d, which = torch.cdist(x, modes).min(1)
    print(f"samples within 0.45 of a mode: {(d < 0.45).float().mean():.3f}; per mode {torch.bincount(which, minlength=6).tolist()}")


main()
