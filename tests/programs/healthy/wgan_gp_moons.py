"""WGAN-GP on two moons; the score is an energy distance between real and fake samples.

split: test
"""

import torch
from sklearn.datasets import make_moons
from torch import autograd, nn

torch.set_num_threads(1)
torch.manual_seed(8)

data, _ = make_moons(4000, noise=0.05, random_state=8)
data = torch.tensor(data, dtype=torch.float32)
real_mean, real_std = data[:3000].mean(0), data[:3000].std(0)
data = (data - real_mean) / real_std
train, held = data[:3000], data[3000:]


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


Z, BATCH, N_CRITIC, LAMBDA = 4, 128, 3, 1.0
G, D = mlp(Z, 2), mlp(2, 1)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.0, 0.9))


def gradient_penalty(real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    grad, = autograd.grad(D(mix).sum(), mix, create_graph=True)
    return (grad.norm(2, dim=1) - 1).pow(2).mean()


@torch.no_grad()
def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


@torch.no_grad()
def sample(n):
    return G(torch.randn(n, Z))


print("energy distance before:", round(energy_distance(sample(1000), held), 4))
for it in range(1, 401):
    for _ in range(N_CRITIC):
        real = train[torch.randint(0, len(train), (BATCH,))]
        fake = G(torch.randn(BATCH, Z)).detach()
        w = D(real).mean() - D(fake).mean()
        loss_d = -w + LAMBDA * gradient_penalty(real, fake)
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

    loss_g = -D(G(torch.randn(BATCH, Z))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

    if it % 100 == 0:
        print(f"iter {it} wasserstein {w.item():.4f} loss_d {loss_d.item():.4f} loss_g {loss_g.item():.4f} "
              f"energy {energy_distance(sample(1000), held):.4f}")
