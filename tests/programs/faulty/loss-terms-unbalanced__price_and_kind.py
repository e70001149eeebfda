"""The price of a house and its kind, by two heads on one trunk.

fault: loss-terms-unbalanced
also: 
split: train
line: 41
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(55)

N, D = 4600, 16
x = torch.randn(N, D)
w1, w2 = torch.randn(D), torch.randn(D)
noise = 0.1 * torch.randn(N)
price = torch.tanh(x @ w1 / 2) + 0.4 * (x[:, 0] * x[:, 1]) + noise
price = (price - price.mean()) / price.std()
score = x @ w2 / w2.norm() + 0.5 * x[:, 2] * x[:, 3]
kind = (score > -0.5).long() + (score > 0.5).long()
train_idx, val_idx = torch.arange(0, 4000), torch.arange(4000, N)


class TwoHeads(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(D, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.price_head = nn.Linear(width, 1)
        self.kind_head = nn.Linear(width, 3)

    def forward(self, inp):
        h = self.trunk(inp)
        return self.price_head(h).squeeze(-1), self.kind_head(h)


def compute_loss(model, idx):
    p, k = model(x[idx])
    price_loss = F.mse_loss(p, price[idx], reduction="sum")
    kind_loss = F.cross_entropy(k, kind[idx])
    return price_loss + kind_loss, price_loss.item(), kind_loss.item()


def report(model, epoch):
    model.eval()
    with torch.no_grad():
        p, k = model(x[val_idx])
    r2 = 1 - ((p - price[val_idx]) ** 2).mean() / price[val_idx].var()
    acc = (k.argmax(1) == kind[val_idx]).float().mean()
    print(f"epoch {epoch:2d} price R2 {r2.item():.3f} kind accuracy {acc.item():.3f}")


net = TwoHeads()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)
for epoch in range(1, 21):
    net.train()
    sums = [0.0, 0.0]
    batches = train_idx[torch.randperm(len(train_idx))].split(100)
    for b in batches:
        loss, lp, lk = compute_loss(net, b)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        sums[0] += lp
        sums[1] += lk
    scheduler.step()
    if epoch % 5 == 0:
        print(f"train price loss {sums[0] / len(batches):.3f} kind loss {sums[1] / len(batches):.3f}", end=" | ")
        report(net, epoch)
