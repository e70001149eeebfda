"""World model: a recurrent stochastic latent model of a pendulum, then a policy by backprop through imagined rollouts.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence
torch.manual_seed(40)
def dyn(s, a):
    th, w = s[..., 0], s[..., 1]
    w = .95 * w + .2 * a[..., 0] - .2 * torch.sin(th); return torch.stack([th + .2 * w, w], -1)
def obs(s): return torch.stack([s[..., 0].sin(), s[..., 0].cos(), s[..., 1]], -1)
class WM(nn.Module):
    def __init__(self, h=48, z=6):
        super().__init__(); self.cell = nn.GRUCell(z + 1, h); self.prior = nn.Linear(h, 2 * z); self.post = nn.Linear(h + 3, 2 * z)
        self.dec = nn.Sequential(nn.Linear(h + z, 64), nn.ELU(), nn.Linear(64, 3)); self.h, self.z = h, z
    def d(self, p):
        m, s = p.chunk(2, -1); return Normal(m, F.softplus(s) + .1)
    def start(self, n): return torch.zeros(n, self.h), torch.zeros(n, self.z)
wm = WM(); opt = torch.optim.Adam(wm.parameters(), 3e-3)
for it in range(200):
    s = torch.randn(32, 2); h, z = wm.start(32); rec = kl = 0.
    for t in range(12):
        a = torch.rand(32, 1) * 2 - 1; s = dyn(s, a); o = obs(s)
        h = wm.cell(torch.cat([z, a], 1), h)
        pr, po = wm.d(wm.prior(h)), wm.d(wm.post(torch.cat([h, o], 1))); z = po.rsample()
        rec = rec + F.mse_loss(wm.dec(torch.cat([h, z], 1)), o); kl = kl + kl_divergence(po, pr).sum(1).clamp(min=.5).mean()
    loss = rec + .01 * kl
    opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(wm.parameters(), 10.); opt.step()
    if it % 40 == 39: print("wm", it, rec.item() / 12, kl.item() / 12)
wm.requires_grad_(False)
pi = nn.Sequential(nn.Linear(54, 32), nn.ELU(), nn.Linear(32, 1), nn.Tanh()); po_ = torch.optim.Adam(pi.parameters(), 3e-3)
for it in range(120):
    s = torch.randn(32, 2); h, z = wm.start(32)
    with torch.no_grad():
        for t in range(4):
            a = torch.rand(32, 1) * 2 - 1; s = dyn(s, a); h = wm.cell(torch.cat([z, a], 1), h); z = wm.d(wm.post(torch.cat([h, obs(s)], 1))).sample()
    ret = 0.
    for t in range(10):
        a = pi(torch.cat([h, z], 1)); h = wm.cell(torch.cat([z, a], 1), h); z = wm.d(wm.prior(h)).rsample()
        ret = ret + (wm.dec(torch.cat([h, z], 1))[:, 2].pow(2)).mean()
    po_.zero_grad(); ret.backward(); po_.step()
    if it % 40 == 39: print("pi", it, ret.item())
