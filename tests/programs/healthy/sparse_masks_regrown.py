"""Sparse training: fixed-density masks applied after each step, with drop-and-grow by gradient magnitude (RigL).

split: test
"""

import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(42)
P = torch.randn(10, 30)
def draw(n): y = torch.randint(0, 10, (n,)); return P[y] + torch.randn(n, 30), y
net = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
layers = [m for m in net if isinstance(m, nn.Linear)]
masks = {m: (torch.rand_like(m.weight) < .2).float() for m in layers}
for m in layers: m.weight.data *= masks[m] * 5 ** .5
opt = torch.optim.SGD(net.parameters(), .05, momentum=.9, weight_decay=1e-4)
for it in range(700):
    x, y = draw(100); loss = F.cross_entropy(net(x), y)
    opt.zero_grad(); loss.backward()
    if it % 50 == 49 and it < 500:
        with torch.no_grad():
            for m in layers:
                k = int(.2 * masks[m].sum()); mk = masks[m].flatten()
                drop = torch.where(mk > 0, m.weight.abs().flatten(), torch.inf).topk(k, largest=False).indices
                grow = torch.where(mk > 0, -1., m.weight.grad.abs().flatten()).topk(k).indices
                mk[drop] = 0; mk[grow] = 1; m.weight.mul_(masks[m]); m.weight.view(-1)[grow] = 0
    with torch.no_grad():
        for m in layers: m.weight.grad.mul_(masks[m])
    opt.step()
    with torch.no_grad():
        for m in layers: m.weight.mul_(masks[m])
    if it % 100 == 99: print(it, loss.item(), (net(x).argmax(1) == y).float().mean().item())
