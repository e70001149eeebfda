"""Group-relative policy optimisation, one update per sample: the ratio is one, so the printed loss is always about zero.

split: train
"""

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 6))
secret = nn.Linear(8, 6).requires_grad_(False)
opt = torch.optim.AdamW(policy.parameters(), lr=3e-3)
for it in range(1, 401):
    s = torch.randn(32, 8)
    dist = Categorical(logits=policy(s))
    with torch.no_grad():
        a = dist.sample((8,))
        best = secret(s).argmax(1)
        reward = (a == best).float()
        adv = (reward - reward.mean(0)) / (reward.std(0) + 1e-4)
    logp = dist.log_prob(a)
    ratio = (logp - logp.detach()).exp()
    loss = -(torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 80 == 0:
        print(f"{it}: loss {loss.item():+.2e} mean reward {reward.mean():.3f}")
