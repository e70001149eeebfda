"""Second-order MAML on sine waves; all tasks of a meta-batch are adapted at once.

split: test
"""

import math
import torch

torch.set_num_threads(1)
torch.manual_seed(5)

H = 48
shapes = [(1, H), (1, H), (H, H), (1, H), (H, 1), (1, 1)]
theta = torch.nn.ParameterList()
for k, s in enumerate(shapes):
    w = torch.zeros(s) if k % 2 else torch.randn(s) * (2.0 / s[0]) ** 0.5
    theta.append(torch.nn.Parameter(0.3 * w if k == 4 else w))


def net(p, x):
    # p: one set of weights per task, x: (tasks, points, 1)
    x = torch.relu(x @ p[0] + p[1])
    x = torch.relu(x @ p[2] + p[3])
    return x @ p[4] + p[5]


def tasks(n, k=10):
    amp = 0.5 + 1.5 * torch.rand(n, 1, 1)
    ph = math.pi * torch.rand(n, 1, 1)
    x = torch.rand(n, 2 * k, 1) * 6 - 3
    y = amp * torch.sin(x + ph)
    x = x / 2
    return x[:, :k], y[:, :k], x[:, k:], y[:, k:]


def adapt(x, y, steps, create_graph, lr=0.05):
    fast = [w.expand(len(x), *w.shape) for w in theta]
    for _ in range(steps):
        loss = (net(fast, x) - y).square().mean((1, 2)).sum()
        grads = torch.autograd.grad(loss, fast, create_graph=create_graph)
        fast = [w - lr * g for w, g in zip(fast, grads)]
    return fast


def evaluate(n=200):
    xs, ys, xq, yq = tasks(n)
    res = []
    for steps in (0, 1, 3):
        fast = adapt(xs, ys, steps, create_graph=False)
        with torch.no_grad():
            res.append((net(fast, xq) - yq).square().mean().item())
    return "query mse after 0/1/3 steps: %.3f %.3f %.3f" % tuple(res)


meta = torch.optim.Adam(theta, lr=4e-3)
print("start ", evaluate())
run = 0.0
for it in range(1, 601):
    xs, ys, xq, yq = tasks(25)
    fast = adapt(xs, ys, steps=2, create_graph=True)
    loss = (net(fast, xq) - yq).square().mean()
    meta.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(theta, 5.0)
    meta.step()
    run += loss.item()
    if it % 100 == 0:
        print(f"meta-iteration {it} query loss {run / 100:.4f}")
        run = 0.0
print("end   ", evaluate())
