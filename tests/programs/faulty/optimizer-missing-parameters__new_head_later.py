"""A net that is trained on some digits and gets a new head for others.

fault: optimizer-missing-parameters
also: 
split: train
line: 79
"""

import torch
from torch import nn
from torch.nn import functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(11)


class SmallNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(),
        )
        self.head = nn.Linear(48 * 4, num_classes)

    def forward(self, x):
        return self.head(self.features(x))


def get_split(classes, seed):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 8.0 - 1.0
    y = torch.tensor(d.target)
    keep = torch.isin(y, torch.tensor(classes))
    x, y = x[keep], y[keep] - min(classes)
    g = torch.Generator().manual_seed(seed)
    perm = torch.randperm(len(x), generator=g)
    x, y = x[perm], y[perm]
    n = int(0.8 * len(x))
    return (x[:n], y[:n]), (x[n:], y[n:])


def run(model, opt, train, test, epochs, tag):
    x, y = train
    for ep in range(epochs):
        model.train()
        order = torch.randperm(len(x))
        total = 0.0
        for i in range(0, len(x), 32):
            idx = order[i:i + 32]
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        acc = accuracy(model, *test)
        print(f"[{tag}] epoch {ep:2d} loss {total / len(x):.4f} acc {acc:.3f}")


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    src_train, src_test = get_split([0, 1, 2, 3, 4, 5], seed=0)
    model = SmallNet(6)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    run(model, opt, src_train, src_test, epochs=4, tag="source")

    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for p in model.features.parameters():
        p.requires_grad = False

    tgt_train, tgt_test = get_split([6, 7, 8, 9], seed=1)
    model.head = nn.Linear(model.head.in_features, 4)
    run(model, opt, tgt_train, tgt_test, epochs=12, tag="target")
    print("final target accuracy: %.3f" % accuracy(model, *tgt_test))


if __name__ == "__main__":
    main()
