"""Digits are told by a network that narrows from stage to stage.

split: train
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

CONFIG = {
    "width": 64,
    "compression": 2,
    "stages": 3,
    "lr": 2e-3,
    "epochs": 12,
    "batch": 64,
}


class Stage(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.fc = nn.Linear(i, o)
        self.bn = nn.BatchNorm1d(o)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.bn(self.fc(x)))


class Compressor(nn.Module):
    def __init__(self, n_in, n_out, cfg):
        super().__init__()
        widths = [cfg["width"]]
        for _ in range(cfg["stages"] - 1):
            widths.append(max(1, widths[-1] // cfg["compression"]))
        self.stem = Stage(n_in, widths[0])
        self.stages = nn.Sequential(*[Stage(a, b) for a, b in zip(widths, widths[1:])])
        self.head = nn.Linear(widths[-1], n_out)

    def forward(self, x):
        return self.head(self.stages(self.stem(x)))


def batches(x, y, size):
    for idx in torch.randperm(len(x)).split(size):
        if len(idx) > 1:
            yield x[idx], y[idx]


def main():
    torch.manual_seed(55)
    X, y = load_digits(return_X_y=True)
    Xtr, Xte, ytr, yte = train_test_split(X / 16.0, y, test_size=0.25, random_state=55)
    Xtr, Xte = torch.tensor(Xtr).float(), torch.tensor(Xte).float()
    ytr, yte = torch.tensor(ytr), torch.tensor(yte)
    net = Compressor(64, 10, CONFIG)
    opt = torch.optim.AdamW(net.parameters(), lr=CONFIG["lr"])
    ce = nn.CrossEntropyLoss()
    for e in range(CONFIG["epochs"]):
        net.train()
        tot = n = 0
        for xb, yb in batches(Xtr, ytr, CONFIG["batch"]):
            loss = ce(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
            n += 1
        net.eval()
        with torch.no_grad():
            tr = (net(Xtr).argmax(1) == ytr).float().mean().item()
            te = (net(Xte).argmax(1) == yte).float().mean().item()
        print(f"epoch {e + 1:2d}: loss {tot / n:.4f} train acc {tr:.3f} test acc {te:.3f}")


if __name__ == "__main__":
    main()
