"""Meta-learning of sine curves: one inner gradient step on five points, the outer loss on ten others.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(82)

net = nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))
meta = torch.optim.Adam(net.parameters(), lr=2e-3)


def task():
    height, shift = 0.5 + 2 * torch.rand(1), 3 * torch.rand(1)

    def sample(count):
        x = torch.rand(count, 1) * 6 - 3
        return x, height * torch.sin(x + shift)

    return sample


def adapt(weights, x, y, rate=0.05):
    loss = F.mse_loss(functional_call(net, weights, (x,)), y)
    grads = torch.autograd.grad(loss, weights.values(), create_graph=True)
    return {name: weight - rate * grad for (name, weight), grad in zip(weights.items(), grads, strict=False)}


def outer_loss():
    sample = task()
    weights = adapt(dict(net.named_parameters()), *sample(10))
    x, y = sample(10)
    return F.mse_loss(functional_call(net, weights, (x,)), y)


history = []
for _iteration in range(350):
    loss = sum(outer_loss() for _ in range(4)) / 4
    meta.zero_grad()
    loss.backward()
    meta.step()
    history.append(loss.item())
print(f"after one step of adaptation: first 50 {sum(history[:50]) / 50:.3f}, last 50 {sum(history[-50:]) / 50:.3f}")
