"""No torch.optim at all: autograd.grad and hand-written Lion and Adam; then grads set by hand beside an optimizer.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(34)
X = torch.randn(2000, 6); y = torch.sin(X[:, 0] * 2) + X[:, 1] * X[:, 2]
def new(): return nn.Sequential(nn.Linear(6, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 1))
def batches(k):
    for _ in range(k):
        b = torch.randint(0, 2000, (100,)); yield X[b], y[b]
net = new(); params = list(net.parameters()); m = [torch.zeros_like(p) for p in params]
for i, (a, b) in enumerate(batches(500)):
    loss = F.mse_loss(net(a).squeeze(1), b)
    gs = torch.autograd.grad(loss, params)
    with torch.no_grad():
        for p, g, mm in zip(params, gs, m):
            p.add_(torch.sign(.9 * mm + .1 * g), alpha=-1e-3 * (1 - i / 500)); mm.mul_(.99).add_(g, alpha=.01)
    if i % 100 == 99: print("lion", i, loss.item())
net = new(); params = list(net.parameters()); s = [(torch.zeros_like(p), torch.zeros_like(p)) for p in params]
for i, (a, b) in enumerate(batches(500)):
    loss = F.mse_loss(net(a).squeeze(1), b); loss.backward()
    with torch.no_grad():
        for p, (u, v) in zip(params, s):
            u.lerp_(p.grad, .1); v.mul_(.999).addcmul_(p.grad, p.grad, value=.001)
            p -= 3e-3 * (u / (1 - .9 ** (i + 1))) / ((v / (1 - .999 ** (i + 1))).sqrt() + 1e-8)
            p.grad = None
    if i % 100 == 99: print("adam", i, loss.item())
net = new(); params = list(net.parameters()); opt = torch.optim.Adam(params, 3e-3)
for i, (a, b) in enumerate(batches(500)):
    l1 = F.mse_loss(net(a).squeeze(1), b)
    l2 = F.l1_loss(net(a).squeeze(1), b)
    g1 = torch.autograd.grad(l1, params, retain_graph=True); g2 = torch.autograd.grad(l2, params)
    dot = sum((x * z).sum() for x, z in zip(g1, g2)); n2 = sum((z * z).sum() for z in g2)
    for p, x, z in zip(params, g1, g2):
        p.grad = x + z if dot >= 0 else x - dot / n2 * z
    opt.step()
    if i % 100 == 99: print("pcgrad", i, l1.item(), l2.item())
