"""Digits through a narrow code.

fault: width-one-bottleneck
also: too-small-model
split: test
line: 19
"""

import torch
from torch import nn
from dataclasses import dataclass
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@dataclass
class Config:
    width: int = 16
    code: int = 1
    lr: float = 0.05
    epochs: int = 8
    batch: int = 48
    seed: int = 5


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(cout)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        w = cfg.width
        self.stem = Block(1, w)
        self.b1 = Block(w, w)
        self.b2 = Block(w, 2 * w)
        self.pool = nn.MaxPool2d(2)
        self.squeeze = nn.Linear(2 * w * 4, cfg.code)
        self.cls = nn.Linear(cfg.code, 10)

    def forward(self, x):
        x = self.pool(self.b1(self.stem(x)))
        x = self.pool(self.b2(x))
        return self.cls(torch.tanh(self.squeeze(x.flatten(1))))


cfg = Config()
torch.set_num_threads(1)
torch.manual_seed(cfg.seed)
d = load_digits()
xtr, xte, ytr, yte = train_test_split(d.images, d.target, test_size=0.25, random_state=cfg.seed, stratify=d.target)
prep = lambda a: (torch.tensor(a, dtype=torch.float32)[:, None] / 16.0 - 0.3) / 0.37
xtr, xte = prep(xtr), prep(xte)
ytr, yte = torch.tensor(ytr), torch.tensor(yte)

net = Net(cfg)
print("parameters:", sum(p.numel() for p in net.parameters()))
opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True, weight_decay=1e-4)
steps = cfg.epochs * (len(xtr) // cfg.batch)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.lr, total_steps=steps)

for epoch in range(cfg.epochs):
    net.train()
    idx = torch.randperm(len(xtr))
    losses = []
    for k in range(len(xtr) // cfg.batch):
        b = idx[k * cfg.batch:(k + 1) * cfg.batch]
        logits = net(xtr[b])
        logp = logits - logits.logsumexp(1, keepdim=True)
        loss = -logp[torch.arange(len(b)), ytr[b]].mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        acc = (net(xte).argmax(-1) == yte).float().mean().item()
    print(f"epoch {epoch:02d} loss {sum(losses) / len(losses):.4f} test acc {acc:.4f}")
