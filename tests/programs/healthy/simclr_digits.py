"""SimCLR-style pre-training on digits, then a linear probe.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression


def augment(x):
    b = x.size(0)
    shifts = torch.randint(-1, 2, (b, 2)).tolist()
    x = torch.stack([torch.roll(img, (dx, dy), (1, 2)) for img, (dx, dy) in zip(x, shifts)])
    x = x * (0.8 + 0.4 * torch.rand(b, 1, 1, 1))
    return x + 0.1 * torch.randn_like(x)


def nt_xent(z1, z2, tau=0.3):
    n = z1.size(0)
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.t() / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(),
            nn.Linear(512, 64),
        )
        self.projector = nn.Sequential(nn.ReLU(), nn.Linear(64, 32))

    def forward(self, x):
        return self.projector(self.body(x))


@torch.no_grad()
def probe(enc, x_tr, y_tr, x_te, y_te):
    enc.eval()
    a, b = enc.body(x_tr), enc.body(x_te)
    mu, sd = a.mean(0), a.std(0) + 1e-6
    clf = LogisticRegression(max_iter=300).fit(((a - mu) / sd).numpy(), y_tr)
    return clf.score(((b - mu) / sd).numpy(), y_te)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
    perm = torch.randperm(len(x))
    tr, te = perm[:1400], perm[1400:]
    x_tr, x_te, y_tr, y_te = x[tr], x[te], d.target[tr], d.target[te]
    enc = Encoder()
    opt = torch.optim.AdamW(enc.parameters(), lr=2e-3, weight_decay=1e-4)
    print("linear probe before:", round(probe(enc, x_tr, y_tr, x_te, y_te), 3))
    for epoch in range(6):
        enc.train()
        order = torch.randperm(len(x_tr))
        total = 0.0
        for idx in order.split(200):
            xb = x_tr[idx]
            loss = nt_xent(enc(augment(xb)), enc(augment(xb)))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        print(f"epoch {epoch + 1} contrastive loss {total / len(x_tr):.3f}")
    print("linear probe after:", round(probe(enc, x_tr, y_tr, x_te, y_te), 3))


if __name__ == "__main__":
    main()
