"""Gradients of each sample by vmap, clipped one by one; no optimizer.

split: train
"""

import torch
from torch import nn
from torch.func import functional_call, grad_and_value, vmap
from sklearn.datasets import load_digits

torch.manual_seed(0)
X, y = load_digits(return_X_y=True)
X, y = torch.tensor(X / 16, dtype=torch.float32), torch.tensor(y)
net = nn.Sequential(nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 10))
params = {k: v.detach().clone() for k, v in net.named_parameters()}


def loss_fn(params, x, t):
    return nn.functional.cross_entropy(functional_call(net, params, (x[None],)), t[None])


per_sample = vmap(grad_and_value(loss_fn), in_dims=(None, 0, 0))
for ep in range(6):
    for b in torch.randperm(1400).split(50):
        grads, losses = per_sample(params, X[b], y[b])
        norms = torch.sqrt(sum(g.flatten(1).pow(2).sum(1) for g in grads.values()))
        scale = (2.0 / norms).clamp(max=1.0)
        for k, g in grads.items():
            params[k] = params[k] - 0.5 * (g * scale.view(-1, *[1] * (g.dim() - 1))).mean(0)
    acc = (functional_call(net, params, (X[1400:],)).argmax(1) == y[1400:]).float().mean().item()
    print(ep, losses.mean().item(), acc)
