"""A small residual net with a cosine schedule.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.short = nn.Identity()
        if stride != 1 or cin != cout:
            self.short = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return F.relu(out + self.short(x))


class MiniResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 12, 3, 1, 1, bias=False), nn.BatchNorm2d(12), nn.ReLU())
        self.layer1 = BasicBlock(12, 12)
        self.layer2 = BasicBlock(12, 24, 2)
        self.fc = nn.Linear(24, 10)

    def forward(self, x):
        x = self.layer2(self.layer1(self.stem(x)))
        return self.fc(x.mean((2, 3)))


def augment(x):
    dx, dy = torch.randint(-1, 2, (2,)).tolist()
    return torch.roll(F.pad(x, (1, 1, 1, 1)), (dy, dx), (2, 3))[:, :, 1:-1, 1:-1]


def train_one_epoch(net, opt, sched, x, y, bs=32):
    net.train()
    meter = 0.0
    for idx in torch.randperm(len(x)).split(bs):
        loss = F.cross_entropy(net(augment(x[idx])), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        meter += loss.item() * len(idx)
    return meter / len(x)


@torch.no_grad()
def test(net, x, y):
    net.eval()
    out = net(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(100)
    d = load_digits()
    xtr, xte, ytr, yte = train_test_split(d.images, d.target, test_size=0.25, random_state=100)
    prep = lambda a: (torch.tensor(a, dtype=torch.float32)[:, None] / 16 - 0.305) / 0.376
    xtr, xte, ytr, yte = prep(xtr), prep(xte), torch.tensor(ytr), torch.tensor(yte)
    net = MiniResNet()
    EPOCHS = 8
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * ((len(xtr) + 31) // 32))
    for e in range(EPOCHS):
        tl = train_one_epoch(net, opt, sched, xtr, ytr)
        vl, va = test(net, xte, yte)
        print(f"{e}: train loss {tl:.4f} | test loss {vl:.4f} | test acc {va:.4f} | lr {opt.param_groups[0]['lr']:.5f}")
