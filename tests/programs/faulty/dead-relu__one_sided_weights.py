"""One sided weights.

fault: dead-relu
also: badly-scaled-init
split: test
line: 31
"""

import argparse

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from sklearn.datasets import load_digits


class SmallConv(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.c1 = nn.Conv2d(1, c, 3, padding=1)
        self.c2 = nn.Conv2d(c, c, 3, padding=1)
        self.fc = nn.Linear(c * 4, 32)
        self.out = nn.Linear(32, 10)
        self.reset()

    def reset(self):
        for m in self.modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                bound = (6 / m.weight[0].numel()) ** 0.5
                nn.init.uniform_(m.weight, -bound, 0)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        x = F.relu(self.fc(x.flatten(1)))
        return self.out(x)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    rng = np.random.default_rng(a.seed)
    d = load_digits()
    images = torch.from_numpy(d.images / 16.0).float().unsqueeze(1)
    labels = torch.from_numpy(d.target)
    perm = rng.permutation(len(images))
    tr, te = perm[:1400], perm[1400:]
    model = SmallConv()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    for ep in range(a.epochs):
        model.train()
        rng.shuffle(tr)
        losses = []
        for k in range(0, len(tr), 50):
            b = tr[k:k + 50]
            loss = F.cross_entropy(model(images[b]), labels[b])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            acc = (model(images[te]).argmax(-1) == labels[te]).float().mean()
        print(f"[{ep}] {np.mean(losses):.3f} / {acc:.3f}")
    print("SCORE", float(acc))


if __name__ == "__main__":
    main()
