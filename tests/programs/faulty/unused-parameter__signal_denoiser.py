"""Two-stage 1-D denoiser: a coarse estimate, then a refinement that sees signal and estimate.

fault: unused-parameter
also: graph-cut
split: test
line: 58
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def make_signals(n, length=96):
    t = torch.linspace(0, 1, length)
    clean = torch.zeros(n, length)
    for _ in range(3):
        freq = 1 + 7 * torch.rand(n, 1)
        phase = 2 * math.pi * torch.rand(n, 1)
        clean += torch.rand(n, 1) * torch.sin(2 * math.pi * freq * t + phase)
    jump = (t[None] > torch.rand(n, 1)).float()
    clean += jump * torch.randn(n, 1)
    return (clean + 0.4 * torch.randn_like(clean)).unsqueeze(1), clean.unsqueeze(1)


def tower(cin, width):
    return nn.Sequential(
        nn.Conv1d(cin, width, 7, padding=3), nn.ReLU(),
        nn.Conv1d(width, width, 7, padding=6, dilation=2), nn.ReLU(),
        nn.Conv1d(width, 1, 7, padding=3))


class TwoStage(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.stage1 = tower(1, width)
        self.stage2 = tower(2, width)

    def forward(self, x):
        coarse = self.stage1(x)
        refined = self.stage2(torch.cat([x, coarse], 1))
        return coarse, refined


def psnr(pred, target):
    return -10 * torch.log10(F.mse_loss(pred, target)).item()


def train(model, noisy, clean, epochs=15, batch=50):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(1, epochs + 1):
        total = 0.0
        for idx in torch.randperm(len(noisy)).split(batch):
            coarse, refined = model(noisy[idx])
            loss_coarse = F.mse_loss(coarse, clean[idx])
            loss_refined = F.mse_loss(coarse, clean[idx])
            loss = 0.4 * loss_coarse + loss_refined
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        print(f"epoch {epoch} loss {total / len(noisy):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    noisy, clean = make_signals(1500)
    noisy_test, clean_test = make_signals(300)
    model = TwoStage()
    train(model, noisy, clean)
    with torch.no_grad():
        _, out = model(noisy_test)
    print(f"noisy PSNR {psnr(noisy_test, clean_test):.2f}  denoised PSNR {psnr(out, clean_test):.2f}")
