"""Store one picture in the weights of a SIREN. The network is meant to memorise it: the score is the PSNR of the reconstruction.

split: test
"""
import math

import torch
import torch.nn as nn
from sklearn.datasets import load_sample_image


class Sine(nn.Module):
    def __init__(self, i, o, w0=20.0, first=False):
        super().__init__()
        self.lin, self.w0 = nn.Linear(i, o), w0
        bound = 1 / i if first else math.sqrt(6 / i) / w0
        nn.init.uniform_(self.lin.weight, -bound, bound)

    def forward(self, x):
        return torch.sin(self.w0 * self.lin(x))


torch.manual_seed(0)
img = torch.tensor(load_sample_image("china.jpg").copy(), dtype=torch.float32) / 127.5 - 1
img = nn.functional.avg_pool2d(img.permute(2, 0, 1)[None, :, :400, :640], 10)[0]      # 3 x 40 x 64
C, H, W = img.shape
yy, xx = torch.meshgrid(torch.linspace(-1, 1, H), torch.linspace(-1, 1, W), indexing="ij")
coords = torch.stack([yy, xx], -1).view(-1, 2)
colours = img.permute(1, 2, 0).reshape(-1, 3)

net = nn.Sequential(Sine(2, 56, first=True), Sine(56, 56), Sine(56, 56), nn.Linear(56, 3))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 150, 0.5)


def psnr(mse):
    return 10 * math.log10(4 / mse)


for step in range(1, 451):
    # the whole picture is the batch
    loss = (net(coords) - colours).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if step % 50 == 0:
        print(f"step {step} PSNR {psnr(loss.item()):.2f} dB")

with torch.no_grad():
    restored = net(coords).clamp(-1, 1)
n_params = sum(p.numel() for p in net.parameters())
print(f"{n_params} parameters for {colours.numel()} numbers; "
      f"PSNR {psnr((restored - colours).pow(2).mean().item()):.2f} dB, "
      f"mean colour only {psnr((colours - colours.mean(0)).pow(2).mean().item()):.2f} dB")
