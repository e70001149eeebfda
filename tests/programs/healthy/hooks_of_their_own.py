"""A program with its own hooks: forward, full backward, tensor hooks that change gradients, optimizer hooks.

split: train
"""

import collections

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(41)
counts = collections.Counter()
model = nn.Sequential(nn.Linear(7, 14), nn.Tanh(), nn.Linear(14, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def scale_output(_module, _inputs, output):
    counts["forward"] += 1
    return output * 1.1


def watch_gradient(_module, grad_input, _grad_output):
    counts["backward"] += 1
    return tuple(None if g is None else g * 0.9 for g in grad_input)


def halve_gradient(parameter):
    parameter.grad.mul_(0.5)


def count_step(*_):
    counts["step"] += 1


model[0].register_forward_hook(scale_output)
model[1].register_full_backward_hook(watch_gradient)
model[2].weight.register_hook(lambda gradient: gradient.clamp(-0.05, 0.05))
model[0].weight.register_post_accumulate_grad_hook(halve_gradient)
optimizer.register_step_post_hook(count_step)

for _ in range(25):
    x = torch.randn(18, 7)
    hidden = model[1](model[0](x))
    hidden.retain_grad()
    loss = nn.functional.cross_entropy(model[2](hidden), (x[:, 0] > 0).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", loss.item(), "hidden gradient", hidden.grad.norm().item())
print(sorted(counts.items()))
