"""Padded reader.

split: train
"""

import torch
import torch.nn as nn

PAD = 0
torch.manual_seed(21)


def make(n, seed, longest=24):
    """Short sentences; the class is the sum of token values modulo-free majority: even or odd tokens."""
    g = torch.Generator().manual_seed(seed)
    out, lab = [], []
    for _ in range(n):
        k = int(torch.randint(3, 9, (1,), generator=g))
        s = torch.randint(1, 41, (k,), generator=g)
        odd = int((s % 2 == 1).sum())
        if 2 * odd == k:
            s = torch.cat([s, torch.tensor([7])])
            odd += 1
        out.append(s)
        lab.append(int(2 * odd > len(s)))
    batch = torch.full((n, longest), PAD)
    for i, s in enumerate(out):
        batch[i, :len(s)] = s
    return batch, torch.tensor(lab)


class Reader(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.emb = nn.Embedding(41, d)
        self.query = nn.Parameter(torch.randn(1, 1, d) * 0.2)
        self.att = nn.MultiheadAttention(d, 2, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, ids):
        mask = ids == PAD
        h = self.emb(ids)
        q = self.query.expand(len(ids), -1, -1)
        ctx, _ = self.att(q, h, h, key_padding_mask=mask)
        return self.ff(ctx.squeeze(1))


class Trainer:
    def __init__(self, model, lr=4e-3):
        self.model, self.opt = model, torch.optim.Adam(model.parameters(), lr=lr)
        self.crit = nn.CrossEntropyLoss()

    def fit(self, x, y, epochs, bs):
        for e in range(epochs):
            self.model.train()
            for idx in torch.randperm(len(x)).split(bs):
                self.opt.zero_grad()
                loss = self.crit(self.model(x[idx]), y[idx])
                loss.backward()
                self.opt.step()
            print("epoch", e, "loss", round(float(loss.detach()), 4))

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(1) == y).float().mean().item()


xtr, ytr = make(2000, 1)
xva, yva = make(500, 2)
t = Trainer(Reader())
t.fit(xtr, ytr, 8, 50)
print("SCORE", t.score(xva, yva))
