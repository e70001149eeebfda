"""A regression in mixed precision.

split: test
"""

from dataclasses import dataclass, field

import torch
from sklearn.datasets import make_friedman1
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Settings:
    seed: int = 24
    hidden: list = field(default_factory=lambda: [64, 64])
    lr: float = 0.05
    momentum: float = 0.9
    clip: float = 1.0
    epochs: int = 20
    ema: float = 0.98


class ResidualMLP(nn.Module):
    def __init__(self, d_in, hidden):
        super().__init__()
        self.inp = nn.Linear(d_in, hidden[0])
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(h), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, h)) for h in hidden)
        self.out = nn.Linear(hidden[-1], 1)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h).squeeze(-1)


class Experiment:
    def __init__(self, s):
        self.s = s
        torch.manual_seed(s.seed)
        x, y = make_friedman1(n_samples=2500, n_features=8, noise=0.5, random_state=s.seed)
        x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
        xm, xs, self.ym, self.ys = x[:2000].mean(0), x[:2000].std(0), y[:2000].mean(), y[:2000].std()
        x, z = (x - xm) / xs, (y - self.ym) / self.ys
        self.loader = DataLoader(TensorDataset(x[:2000], z[:2000]), batch_size=64, shuffle=True, drop_last=True)
        self.x_test, self.y_test = x[2000:], y[2000:]
        self.model = ResidualMLP(8, s.hidden)
        self.average = torch.optim.swa_utils.AveragedModel(
            self.model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(s.ema))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=s.lr, momentum=s.momentum)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, s.epochs * len(self.loader))
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def step(self, xb, zb):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            pred = self.model(xb)
        loss = nn.functional.mse_loss(pred.float(), zb)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.s.clip)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.sched.step()
        self.average.update_parameters(self.model)
        return loss.item()

    @torch.no_grad()
    def test(self):
        self.average.eval()
        guess = self.average(self.x_test) * self.ys + self.ym
        return (1 - (guess - self.y_test).pow(2).sum() / (self.y_test - self.y_test.mean()).pow(2).sum()).item()

    def run(self):
        for epoch in range(1, self.s.epochs + 1):
            self.model.train()
            losses = [self.step(xb, zb) for xb, zb in self.loader]
            if epoch % 5 == 0:
                print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f} test R2 {self.test():.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    Experiment(Settings()).run()
