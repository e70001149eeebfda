"""A critic with a gradient penalty: `autograd.grad` with `create_graph`, then backward through the gradient.

split: train
"""

import torch
from torch import nn


def gradient_penalty(critic, real, fake):
    mix = torch.rand(real.shape[0], 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(between)
    (gradient,) = torch.autograd.grad(score.sum(), between, create_graph=True)
    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()


torch.set_num_threads(1)
torch.manual_seed(43)
critic = nn.Sequential(nn.Linear(4, 24), nn.Softplus(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=5e-3, betas=(0.0, 0.9))
for step in range(30):
    real, fake = torch.randn(16, 4) + 1, torch.randn(16, 4)
    loss = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(critic, real, fake)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", step, "loss", loss.item())
