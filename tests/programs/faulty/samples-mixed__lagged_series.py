"""A series and its past, for a transformer.

fault: samples-mixed
also: 
split: train
line: 18
"""

import torch
import torch.nn as nn


class SeriesModel(nn.Module):
    def __init__(self, d_model=32, nhead=4, layers=2, horizon=1, length=24):
        super().__init__()
        self.inp = nn.Linear(1, d_model)
        self.pos = nn.Parameter(torch.randn(1, length, d_model) * 0.1)
        enc = nn.TransformerEncoderLayer(d_model, nhead, dim_feedforward=64, dropout=0.0)
        self.enc = nn.TransformerEncoder(enc, layers)
        self.out = nn.Linear(d_model, horizon)

    def forward(self, x):
        h = self.inp(x.unsqueeze(-1)) + self.pos
        h = self.enc(h)
        return self.out(h[:, -1])


def make_windows(n, length, gen):
    # each shop has its own lag: next value repeats what happened `lag` steps before
    x = torch.randn(n, length, generator=gen)
    y = 0.8 * x[:, -7] + 0.6 * x[:, -3] * (x[:, -12] > 0) - 0.3 * x[:, -1]
    return x, (y + 0.1 * torch.randn(n, generator=gen)).unsqueeze(1)


def run():
    torch.set_num_threads(1)
    torch.manual_seed(99)
    gen = torch.Generator().manual_seed(99)
    length = 24
    xtr, ytr = make_windows(2048, length, gen)
    xva, yva = make_windows(512, length, gen)
    model = SeriesModel(length=length)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    warm = 30
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / warm))
    huber = nn.SmoothL1Loss()
    step = 0
    for epoch in range(9):
        model.train()
        perm = torch.randperm(len(xtr))
        total = 0.0
        for chunk in perm.split(64):
            loss = huber(model(xtr[chunk]), ytr[chunk])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item() * len(chunk)
            step += 1
        model.eval()
        with torch.no_grad():
            pred = model(xva)
            r2 = 1 - (pred - yva).pow(2).mean() / yva.var()
        print(f"epoch {epoch} step {step} train {total / len(xtr):.4f} val R2 {r2.item():.3f}")


if __name__ == "__main__":
    run()
