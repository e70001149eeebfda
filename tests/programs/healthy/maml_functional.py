"""Model-agnostic meta-learning on sine waves: gradient through one inner step.

split: test
"""
import torch
from torch.func import functional_call

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(1, 40), torch.nn.Tanh(), torch.nn.Linear(40, 40), torch.nn.Tanh(), torch.nn.Linear(40, 1))
meta = torch.optim.Adam(net.parameters(), lr=3e-3)
INNER = 0.05


def task():
    a, p = torch.rand(()) * 2 + 0.5, torch.rand(()) * 1.5

    def draw(n):
        x = torch.rand(n, 1) * 6 - 3
        return x, a * torch.sin(x + p)
    return draw


def adapt(params, x, y, create_graph):
    loss = (functional_call(net, params, (x,)) - y).pow(2).mean()
    grads = torch.autograd.grad(loss, params.values(), create_graph=create_graph)
    return {k: v - INNER * g for (k, v), g in zip(params.items(), grads)}


window = []
for it in range(150):
    total = 0
    for _ in range(4):
        draw = task()
        fast = adapt(dict(net.named_parameters()), *draw(10), True)
        xq, yq = draw(10)
        total = total + (functional_call(net, fast, (xq,)) - yq).pow(2).mean()
    total = total / 4
    meta.zero_grad()
    total.backward()
    meta.step()
    window.append(total.item())
    if it % 50 == 49:
        print(it + 1, sum(window[-50:]) / 50)
print("SCORE", -sum(window[-40:]) / 40)
