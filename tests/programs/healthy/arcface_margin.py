"""ArcFace: additive angular margin softmax on clustered vectors.

split: train
"""

import math
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(21)
C, D = 20, 24
protos = torch.randn(C, D)
def batch(n=96):
    y = torch.randint(0, C, (n,))
    return protos[y] + 0.6 * torch.randn(n, D), y
class ArcMargin(nn.Module):
    def __init__(self, d, c, s=16.0, m=0.3):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(c, d)); nn.init.xavier_uniform_(self.weight)
        self.s, self.cm, self.sm, self.th, self.mm = s, math.cos(m), math.sin(m), math.cos(math.pi - m), math.sin(math.pi - m) * m
    def forward(self, x, y):
        cos = F.linear(F.normalize(x), F.normalize(self.weight))
        sin = torch.sqrt((1.0 - cos.pow(2)).clamp(1e-6, 1))
        phi = torch.where(cos > self.th, cos * self.cm - sin * self.sm, cos - self.mm)
        one = F.one_hot(y, cos.size(1)).bool()
        return self.s * torch.where(one, phi, cos)
net = nn.Sequential(nn.Linear(D, 64), nn.PReLU(), nn.BatchNorm1d(64), nn.Linear(64, 32))
arc = ArcMargin(32, C)
opt = torch.optim.SGD([*net.parameters(), *arc.parameters()], lr=0.05, momentum=0.9, weight_decay=5e-4)
for it in range(600):
    x, y = batch()
    loss = F.cross_entropy(arc(net(x), y), y)
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 100 == 99:
        net.eval()
        with torch.no_grad():
            x, y = batch(500)
            acc = ((F.normalize(net(x)) @ F.normalize(arc.weight).T).argmax(1) == y).float().mean()
        net.train()
        print(it, loss.item(), acc.item())
