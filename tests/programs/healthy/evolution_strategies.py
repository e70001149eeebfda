"""Evolution strategies: antithetic perturbations estimate the gradient, which is put into .grad for Adam.

split: train
"""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
X = torch.randn(200, 2)
y = (X[:, :1] * X[:, 1:] > 0).float()
opt = torch.optim.Adam(net.parameters(), lr=0.05)


@torch.no_grad()
def fitness(vec):
    vector_to_parameters(vec, net.parameters())
    return -nn.functional.binary_cross_entropy_with_logits(net(X), y)


for gen in range(200):
    theta = parameters_to_vector(net.parameters()).detach().clone()
    noise = torch.randn(16, len(theta)) * 0.1
    grad = sum((fitness(theta + e) - fitness(theta - e)) * e for e in noise) / (2 * 16 * 0.01)
    vector_to_parameters(theta, net.parameters())
    i = 0
    for p in net.parameters():
        p.grad = -grad[i : i + p.numel()].view_as(p).clone()
        i += p.numel()
    opt.step()
    if gen % 40 == 39:
        with torch.no_grad():
            print(gen + 1, "accuracy", ((net(X) > 0).float() == y).float().mean().item())
