"""Read the needle angle (radians) of a drawn pressure gauge with a small CNN.

fault: unreachable-target
also: output-activation
split: test
line: 37
"""
import argparse

import torch
import torch.nn as nn


def render(n, size=20):
    """Needle angles between -2.4 and 2.4 rad, zero pointing up."""
    angle = (torch.rand(n) * 2 - 1) * 2.4
    ys, xs = torch.meshgrid(torch.linspace(1, -1, size), torch.linspace(-1, 1, size), indexing="ij")
    dx, dy = angle.sin()[:, None, None], angle.cos()[:, None, None]
    along = xs * dx + ys * dy
    across = xs * dy - ys * dx
    needle = torch.exp(-(across / 0.12) ** 2) * ((along > 0) & (along < 0.9)).float()
    images = needle + 0.1 * torch.randn(n, size, size)
    return images.unsqueeze(1), angle


class GaugeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.fc = nn.Sequential(nn.Linear(24 * 25, 64), nn.ReLU())
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        h = self.fc(self.conv(x))
        return torch.tanh(self.out(h)).squeeze(1)


def run(args):
    torch.manual_seed(args.seed)
    x_train, a_train = render(2500)
    x_test, a_test = render(500)
    model = GaugeNet()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for idx in torch.randperm(len(x_train)).split(args.batch_size):
            loss = nn.functional.smooth_l1_loss(model(x_train[idx]), a_train[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        print(f"epoch {epoch + 1} loss {sum(losses) / len(losses):.5f}")
    model.eval()
    with torch.no_grad():
        mae = (model(x_test) - a_test).abs().mean().item()
    print(f"test MAE {mae:.4f} rad")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=0)
    run(p.parse_args())
