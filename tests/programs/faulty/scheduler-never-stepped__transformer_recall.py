"""Transformer encoder on first-token recall with a linear warm-up schedule.

fault: scheduler-never-stepped
also:
split: train
line: 48, 41
"""
import torch
from torch import nn, optim

torch.manual_seed(19)
torch.set_num_threads(1)
SEQ, VOC = 12, 9


def task(n):
    x = torch.randint(1, VOC, (n, SEQ))
    x[:, -1] = 0
    return x, x[:, 0]


class Net(nn.Module):
    def __init__(self, d=40):
        super().__init__()
        self.e = nn.Embedding(VOC, d)
        self.p = nn.Parameter(0.3 * torch.randn(1, SEQ, d))
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d, 4, 80, 0.0, batch_first=True, norm_first=True) for _ in range(2))
        self.out = nn.Linear(d, VOC)

    def forward(self, x):
        h = self.e(x) + self.p
        for b in self.blocks:
            h = b(h)
        return self.out(h.mean(1))


xt, yt = task(400)
model = Net()
optimizer = optim.Adam(model.parameters(), lr=4e-3)
warmup = optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 100))
for it in range(1, 241):
    model.train()
    x, y = task(48)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    if it % 40 == 0:
        model.eval()
        with torch.no_grad():
            acc = (model(xt).argmax(1) == yt).float().mean()
        print(f"it {it} loss {loss.item():.3f} acc {acc:.4f}")
