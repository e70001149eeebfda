"""A transformer encoder reads sensors.

fault: samples-mixed
also: 
split: test
line: 33
"""

import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def simulate(n, steps, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 4, (n,), generator=g)
    t = torch.linspace(0, 1, steps)
    phase = 2 * math.pi * torch.rand(n, 1, 1, generator=g)
    freq = (1.5 + 1.5 * y).view(-1, 1, 1).float()
    lag = torch.tensor([0.0, 0.6, 1.2]).view(1, 1, 3)
    x = torch.sin(2 * math.pi * freq * t.view(1, -1, 1) + phase + lag)
    return x + 0.2 * torch.randn(n, steps, 3, generator=g), y


class SensorTransformer(nn.Module):
    def __init__(self, steps, d_model=32, nhead=4, n_classes=4):
        super().__init__()
        self.proj = nn.Linear(3, d_model)
        self.pos = nn.Parameter(0.3 * torch.randn(1, steps, d_model))
        layer = nn.TransformerEncoderLayer(d_model, nhead, dim_feedforward=64, dropout=0.0)
        self.enc = nn.TransformerEncoder(layer, num_layers=2)
        self.norm = nn.LayerNorm(d_model)
        self.fc = nn.Linear(d_model, n_classes)

    def forward(self, x):
        h = self.enc(self.proj(x) + self.pos)
        return self.fc(self.norm(h.mean(dim=1)))


def main(args):
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    train = DataLoader(TensorDataset(*simulate(1500, args.steps, 1)), batch_size=50, shuffle=True)
    test = DataLoader(TensorDataset(*simulate(400, args.steps, 2)), batch_size=50)
    model = SensorTransformer(args.steps)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    ce = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        model.train()
        s = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = ce(model(x), y)
            loss.backward()
            opt.step()
            s += loss.item()
        model.eval()
        with torch.no_grad():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in test) / 400
        print(f"epoch {epoch + 1}/{args.epochs} loss {s / len(train):.4f} test_acc {acc:.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--steps", type=int, default=24)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=4)
    main(p.parse_args())
