"""Two heads over one trunk: a price (regression) and a type (classification).

fault: unused-parameter
also:
split: train
line: 45
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(14)
N = 2000
x = torch.randn(N, 10)
price = x[:, 0] * 2 + torch.sin(2 * x[:, 1]) + x[:, 2] * x[:, 3] * 0.5 + 0.1 * torch.randn(N)
price = (price - price.mean()) / price.std()
kind = ((x[:, 4] + x[:, 5] * x[:, 0]) > 0.4).long() + ((x[:, 6] - x[:, 7]) > 0.2).long()


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.price_head = nn.Linear(64, 1)
        self.kind_head = nn.Linear(64, 3)

    def forward(self, x):
        h = self.trunk(x)
        return self.price_head(h).squeeze(1), self.kind_head(h)


class Experiment:
    def __init__(self):
        self.net = TwoHeads()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)

    def losses(self, idx):
        p, k = self.net(x[idx])
        return {"price": F.mse_loss(p, price[idx]), "kind": F.cross_entropy(k, kind[idx])}

    def epoch(self):
        self.net.train()
        for idx in torch.randperm(1600).split(40):
            parts = self.losses(idx)
            loss = parts["price"]
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return {k: round(v.item(), 3) for k, v in parts.items()}

    @torch.no_grad()
    def evaluate(self):
        self.net.eval()
        p, k = self.net(x[1600:])
        return (1 - F.mse_loss(p, price[1600:])).item(), (k.argmax(1) == kind[1600:]).float().mean().item()


ex = Experiment()
for e in range(12):
    parts = ex.epoch()
    if e % 3 == 2:
        print(e, parts, ex.evaluate())
print("SCORE", ex.evaluate()[1])
