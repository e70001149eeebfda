"""Quantisation-aware training: 4-bit weights and activations with a straight-through estimator.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


def quantise_weight(w, bits):
    top = 2 ** (bits - 1) - 1
    scale = w.detach().abs().amax() / top
    return RoundSTE.apply(w / scale).clamp(-top, top) * scale


class QuantReLU(nn.Module):
    """Unsigned quantiser with a learned clipping level."""
    def __init__(self, bits):
        super().__init__()
        self.levels = 2 ** bits - 1
        self.clip = nn.Parameter(torch.tensor(4.0))

    def forward(self, x):
        x = torch.minimum(x.relu(), self.clip)
        scale = self.clip / self.levels
        return RoundSTE.apply(x / scale) * scale


class QuantConv(nn.Conv1d):
    bits = 4

    def forward(self, x):
        return F.conv1d(x, quantise_weight(self.weight, self.bits), self.bias, self.stride, self.padding)


class QuantLinear(nn.Linear):
    bits = 4

    def forward(self, x):
        return F.linear(x, quantise_weight(self.weight, self.bits), self.bias)


def gestures(n, seed):
    """Accelerometer-like windows, 3 axes x 40 samples, four kinds of movement."""
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, 40)
    y = torch.randint(0, 4, (n,), generator=g)
    ph = torch.rand(n, 1, generator=g) * 6.28
    f = 2 + 2 * torch.rand(n, 1, generator=g)
    s, c = torch.sin(6.28 * f * t + ph), torch.cos(6.28 * f * t + ph)
    zero = torch.zeros_like(s)
    kinds = torch.stack([torch.stack([s, c, zero], 1), torch.stack([s, -c, zero], 1),
                         torch.stack([s, zero, s], 1), torch.stack([s, zero, -s], 1)], 1)
    x = kinds[torch.arange(n), y]
    return x + 0.5 * torch.randn(n, 3, 40, generator=g), y


class Net(nn.Module):
    def __init__(self, bits=4):
        super().__init__()
        self.body = nn.Sequential(QuantConv(3, 16, 5, padding=2), nn.BatchNorm1d(16), QuantReLU(bits), nn.MaxPool1d(2),
                                  QuantConv(16, 16, 5, padding=2), nn.BatchNorm1d(16), QuantReLU(bits), nn.AdaptiveAvgPool1d(1))
        self.head = QuantLinear(16, 4)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


def main():
    torch.manual_seed(0)
    train = DataLoader(TensorDataset(*gestures(1500, 0)), batch_size=50, shuffle=True)
    Xv, yv = gestures(500, 1)
    net = Net()
    clips = [p for n, p in net.named_parameters() if n.endswith("clip")]
    rest = [p for n, p in net.named_parameters() if not n.endswith("clip")]
    opt = torch.optim.Adam([{"params": rest}, {"params": clips, "lr": 1e-2, "weight_decay": 1e-3}], lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 15)
    for epoch in range(15):
        net.train()
        total = 0.0
        for x, y in train:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if epoch % 3 == 2:
            net.eval()
            with torch.no_grad():
                acc = (net(Xv).argmax(1) == yv).float().mean()
            print(f"epoch {epoch + 1} loss {total / len(train):.4f} held-out accuracy (4 bit) {acc:.4f}")


if __name__ == "__main__":
    main()
