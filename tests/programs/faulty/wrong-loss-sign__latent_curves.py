"""Latent model of curves with KL written through distributions.

fault: wrong-loss-sign
also:
split: train
line: 29
"""

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

torch.manual_seed(4)
torch.set_num_threads(1)
t = torch.linspace(0, 1, 30)
data = torch.sin(6.28 * (torch.rand(1500, 1) * 2 + 0.5) * t) * (0.5 + torch.rand(1500, 1))
encoder = nn.Sequential(nn.Linear(30, 48), nn.Tanh(), nn.Linear(48, 8))
decoder = nn.Sequential(nn.Linear(4, 48), nn.Tanh(), nn.Linear(48, 30))
params = list(encoder.parameters()) + list(decoder.parameters())
opt = torch.optim.Adam(params, lr=2e-3)
prior = Normal(0.0, 1.0)
for step in range(500):
    x = data[torch.randint(0, 1500, (64,))]
    mean, raw = encoder(x).chunk(2, dim=1)
    q = Normal(mean, nn.functional.softplus(raw) + 1e-4)
    z = q.rsample()
    kl = kl_divergence(q, prior).sum(1).mean()
    log_px = Normal(decoder(z), 0.2).log_prob(x).sum(1).mean()
    elbo = log_px + kl
    loss = -elbo
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(step, loss.item(), kl.item())
