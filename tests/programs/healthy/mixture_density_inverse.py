"""A mixture density network on an inverse problem, with torch.distributions.

split: train
"""

import math
import torch
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Normal

torch.manual_seed(11)
N = 2000
t = torch.rand(N, 1)
x = t + 0.3 * torch.sin(2 * math.pi * t) + 0.05 * torch.randn(N, 1)
train_x, train_t = (x[:1600] - 0.5) * 2, t[:1600]
test_x, test_t = (x[1600:] - 0.5) * 2, t[1600:]


class MDN(nn.Module):
    def __init__(self, k=4, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.logits = nn.Linear(hidden, k)
        self.mu = nn.Linear(hidden, k)
        self.log_sigma = nn.Linear(hidden, k)

    def forward(self, x):
        h = self.trunk(x)
        sigma = torch.exp(self.log_sigma(h).clamp(-4, 2))
        return MixtureSameFamily(Categorical(logits=self.logits(h)), Normal(self.mu(h), sigma))


mdn = MDN()
optimiser = torch.optim.Adam(mdn.parameters(), lr=5e-3)
for step in range(1200):
    pick = torch.randint(0, len(train_x), (64,))
    density = mdn(train_x[pick])
    loss = -density.log_prob(train_t[pick].squeeze(1)).mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    if (step + 1) % 300 == 0:
        with torch.no_grad():
            held_out = mdn(test_x).log_prob(test_t.squeeze(1)).mean()
        print(f"step {step + 1} objective {loss.item():.3f} held-out log-likelihood {held_out.item():.3f}")
