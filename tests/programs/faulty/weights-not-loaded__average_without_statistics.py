"""A convolutional network whose averaged weights are evaluated.

fault: weights-not-loaded
also:
split: train
line: 31
"""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class ModelEMA:
    """Keeps an exponential moving average of the weights for evaluation."""

    def __init__(self, model, decay=0.98):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_p, p in zip(self.module.parameters(), model.parameters()):
            ema_p.mul_(self.decay).add_(p, alpha=1 - self.decay)


def conv_bn(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class ConvNet(nn.Sequential):
    def __init__(self, width=16):
        super().__init__(
            conv_bn(1, width), conv_bn(width, width),
            conv_bn(width, 2 * width, 2), conv_bn(2 * width, 2 * width),
            conv_bn(2 * width, 4 * width, 2),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4 * width, 10),
        )


def evaluate(net, loader):
    correct = count = 0
    with torch.no_grad():
        for x, y in loader:
            correct += net(x).argmax(1).eq(y).sum().item()
            count += y.numel()
    return 100.0 * correct / count


def build_loaders():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    xa, xb, ya, yb = train_test_split(x, y, test_size=0.25, random_state=5, stratify=y)
    m, s = xa.mean(), xa.std()
    return (DataLoader(TensorDataset((xa - m) / s, ya), batch_size=64, shuffle=True, drop_last=True),
            DataLoader(TensorDataset((xb - m) / s, yb), batch_size=150))


torch.manual_seed(5)
train_loader, test_loader = build_loaders()
model = ConvNet()
ema = ModelEMA(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4)
epochs = 10
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
for epoch in range(epochs):
    model.train()
    meter = 0.0
    for x, y in train_loader:
        loss = F.cross_entropy(model(x), y, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        meter += loss.item()
    scheduler.step()
    print(f"epoch {epoch + 1:2d} | train loss {meter / len(train_loader):.4f} | EMA top-1 {evaluate(ema.module, test_loader):.2f}")
