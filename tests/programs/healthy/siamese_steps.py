"""Pairs of digits that are brought together or pushed apart.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    """Random pairs, half of them of the same class."""

    def __init__(self, x, y, size=2000):
        self.x, self.y, self.size = x, y, size
        self.by_class = [torch.where(y == c)[0] for c in range(10)]

    def __len__(self):
        return self.size

    def __getitem__(self, _):
        i = int(torch.randint(len(self.x), (1,)))
        c = int(self.y[i])
        if torch.rand(1) < 0.5:
            pool, same = self.by_class[c], 1.0
        else:
            pool, same = self.by_class[(c + int(torch.randint(1, 10, (1,)))) % 10], 0.0
        j = int(pool[torch.randint(len(pool), (1,))])
        return self.x[i], self.x[j], torch.tensor(same)


embed = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 16))


def contrastive_loss(a, b, same, margin=1.0):
    dist = (a - b).pow(2).sum(1).add(1e-8).sqrt()
    return (same * dist.pow(2) + (1 - same) * F.relu(margin - dist).pow(2)).mean()


@torch.no_grad()
def nearest_centroid(x_tr, y_tr, x_te, y_te):
    embed.eval()
    z = embed(x_tr)
    centroids = torch.stack([z[y_tr == c].mean(0) for c in range(10)])
    return (torch.cdist(embed(x_te), centroids).argmin(1) == y_te).float().mean().item()


def main(steps=300):
    torch.set_num_threads(1)
    torch.manual_seed(23)
    for m in embed:
        if isinstance(m, nn.Linear):
            nn.init.kaiming_normal_(m.weight, nonlinearity="linear")
            nn.init.zeros_(m.bias)
    d = load_digits()
    x = torch.tensor(d.data, dtype=torch.float32) / 16 - 0.3
    y = torch.tensor(d.target)
    perm = torch.randperm(len(x))
    tr, te = perm[:1300], perm[1300:]
    loader = DataLoader(PairDataset(x[tr], y[tr]), batch_size=64, shuffle=True)
    opt = torch.optim.Adam(embed.parameters(), lr=1e-3)
    recent = []
    for step in range(1, steps + 1):
        embed.train()
        a, b, same = next(iter(loader))
        loss = contrastive_loss(embed(a), embed(b), same)
        for p in embed.parameters():
            p.grad = None
        loss.backward()
        opt.step()
        recent.append(loss.item())
        if step % 50 == 0:
            acc = nearest_centroid(x[tr], y[tr], x[te], y[te])
            print(f"step {step} loss {sum(recent[-50:]) / 50:.4f} centroid accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
