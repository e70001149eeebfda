"""Transfer with a frozen part.

split: test
"""

# Pretrain on digits 0-4, freeze the trunk, learn digits 5-9 with a new head.
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(12)

d = load_digits()
x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0 * 2 - 0.6
y = torch.tensor(d.target)

trunk = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(),
)


def split(mask, offset):
    xs, ys = x[mask], y[mask] - offset
    p = torch.randperm(len(xs))
    k = int(0.8 * len(xs))
    return xs[p[:k]], ys[p[:k]], xs[p[k:]], ys[p[k:]]


def fit(head, params, data, epochs, lr, frozen=False):
    xtr, ytr, xte, yte = data
    opt = torch.optim.Adam(params, lr=lr)
    ce = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        trunk.train(not frozen)
        head.train()
        tot = 0.0
        for b in torch.randperm(len(xtr)).split(32):
            if frozen:
                with torch.no_grad():
                    feat = trunk(xtr[b])
            else:
                feat = trunk(xtr[b])
            loss = ce(head(feat), ytr[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
        trunk.eval()
        head.eval()
        with torch.no_grad():
            acc = (head(trunk(xte)).argmax(1) == yte).float().mean().item()
        print(f"  epoch {epoch + 1} loss {tot / len(xtr):.4f} test acc {acc:.3f}")


print("pretraining")
first = nn.Linear(128, 5)
fit(first, list(trunk.parameters()) + list(first.parameters()), split(y < 5, 0), 4, 2e-3)

for p in trunk.parameters():
    p.requires_grad_(False)
print("transfer")
second = nn.Linear(128, 5)
fit(second, second.parameters(), split(y >= 5, 5), 10, 5e-3, frozen=True)
