"""A miniature vision transformer on digit images.

fault: learning-rate-too-high
also:
split: test
line: 19
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits


class Config:
    seed = 9
    patch = 2
    dim = 32
    layers = 2
    heads = 4
    lr = 0.3
    epochs = 7
    batch = 24


class ViT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.patch = nn.Conv2d(1, c.dim, c.patch, c.patch)
        n = (8 // c.patch) ** 2
        self.cls = nn.Parameter(torch.zeros(1, 1, c.dim))
        self.pos = nn.Parameter(torch.randn(1, n + 1, c.dim) * 0.05)
        enc = nn.TransformerEncoderLayer(c.dim, c.heads, 2 * c.dim, 0.0, "gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(enc, c.layers, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(c.dim), nn.Linear(c.dim, 10))

    def forward(self, x):
        t = self.patch(x).flatten(2).transpose(1, 2)
        t = torch.cat([self.cls.expand(len(x), -1, -1), t], 1) + self.pos
        return self.head(self.encoder(t)[:, 0])


def main(c=Config):
    torch.manual_seed(c.seed)
    torch.set_num_threads(1)
    X, y = load_digits(return_X_y=True)
    X = torch.tensor(X, dtype=torch.float32).view(-1, 1, 8, 8) / 8 - 1
    y = torch.tensor(y)
    p = torch.randperm(len(X))
    tr, te = p[:1300], p[1300:]
    vit = ViT(c)
    opt = torch.optim.Adam(vit.parameters(), lr=c.lr)
    for ep in range(c.epochs):
        vit.train()
        for b in tr[torch.randperm(len(tr))].split(c.batch):
            loss = nn.functional.cross_entropy(vit(X[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
        vit.eval()
        with torch.no_grad():
            acc = (vit(X[te]).argmax(1) == y[te]).float().mean()
        print(f"epoch {ep} loss {loss.item():.4f} test accuracy {acc:.4f}")


main()
