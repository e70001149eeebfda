"""A denoiser of smooth images, which watches some held-out ones as it learns.

fault: graph-kept-alive
also:
split: train
line: 50
"""

import resource

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(9)


class Denoiser(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.ReLU(), nn.Conv2d(c, c, 3, padding=1), nn.ReLU(), nn.Conv2d(c, 1, 3, padding=1))

    def forward(self, x):
        return x - self.net(x)


def clean_images(n, size=24):
    g = torch.linspace(0, 1, size)
    yy, xx = torch.meshgrid(g, g, indexing="ij")
    a, b, c = torch.rand(3, n, 1, 1) * 6
    return torch.sin(a * xx + b * yy + c).unsqueeze(1)


model = Denoiser()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
held_clean = clean_images(20)
held_noisy = held_clean + 0.4 * torch.randn_like(held_clean)
held_out = []
curve = []
for step in range(300):
    clean = clean_images(16)
    noisy = clean + 0.4 * torch.randn_like(clean)
    out = model(noisy)
    loss = F.mse_loss(out, clean)
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append(loss.item())
    if step % 3 == 0:
        held_out.append(F.mse_loss(model(held_noisy), held_clean))
    if step % 60 == 59:
        psnr = -10 * torch.log10(torch.tensor(sum(curve[-20:]) / 20) / 4)
        print(step + 1, "mse", round(sum(curve[-20:]) / 20, 4), "psnr", round(psnr.item(), 2),
              "MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
held = torch.stack(held_out)
print("held out error: best", held.min().item(), "last", held[-1].item())
