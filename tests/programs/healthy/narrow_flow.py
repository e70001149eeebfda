"""A small RealNVP flow on narrow clusters; log-density is high, so the loss is below zero.

split: train
"""
import torch
from torch import nn

torch.manual_seed(4)
centres = torch.tensor([[0.3, 0.3], [-0.3, 0.3], [0.0, -0.3]])
data = centres[torch.randint(0, 3, (1500,))] + 0.04 * torch.randn(1500, 2)


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = 2 * torch.tanh(s)
        b = (b - t) * torch.exp(-s)
        return (torch.cat([b, a], 1) if self.flip else torch.cat([a, b], 1)), -s.squeeze(1)


flow = nn.ModuleList(Coupling(bool(i % 2)) for i in range(6))
base = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
for step in range(250):
    z, logdet = data[torch.randint(0, 1500, (128,))], 0
    for c in flow:
        z, ld = c(z)
        logdet = logdet + ld
    loss = -(base.log_prob(z) + logdet).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 10)
    opt.step()
    if step % 50 == 0:
        print(step, loss.item())
print("SCORE", -loss.item())
