"""MAML for sine regression with torch.func.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
INNER_LR, TASKS, SHOTS, QUERY = 0.05, 16, 10, 15


def sample_tasks(n, shots, query):
    amp = torch.rand(n, 1, 1) * 1.5 + 0.5
    phase = torch.rand(n, 1, 1) * 3.14159
    x = torch.rand(n, shots + query, 1) * 6 - 3
    y = amp * torch.sin(x + phase)
    return x[:, :shots], y[:, :shots], x[:, shots:], y[:, shots:]


def task_loss(params, x, y):
    return F.mse_loss(functional_call(net, params, (x,)), y)


def adapt(params, x, y, steps):
    for _ in range(steps):
        g = grad(task_loss)(params, x, y)
        params = {k: params[k] - INNER_LR * g[k] for k in params}
    return params


def query_loss(params, xs, ys, xq, yq, steps=2):
    return task_loss(adapt(params, xs, ys, steps), xq, yq)


opt = torch.optim.Adam(net.parameters(), lr=2e-3)
ITERS = 1300
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, ITERS)
ema = None
for it in range(ITERS):
    params = dict(net.named_parameters())
    batch = sample_tasks(TASKS, SHOTS, QUERY)
    losses = vmap(query_loss, in_dims=(None, 0, 0, 0, 0))(params, *batch)
    loss = losses.mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    sched.step()
    ema = loss.item() if ema is None else 0.98 * ema + 0.02 * loss.item()
    if it % 150 == 0 or it == ITERS - 1:
        print(f"iter {it:4d} meta loss {ema:.4f}")

torch.manual_seed(999)
params = {k: v.detach() for k, v in net.named_parameters()}
test = sample_tasks(200, SHOTS, 50)
for steps in (0, 1, 2, 5):
    l = vmap(lambda *b: query_loss(params, *b, steps=steps))(*test).mean()
    print(f"new tasks, {steps} inner steps: mse {l.item():.4f}")
print(f"variance of targets {test[3].var().item():.4f}")
