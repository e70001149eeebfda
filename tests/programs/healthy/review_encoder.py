"""Review polarity with a small hand-written transformer encoder.

split: test
"""

import math
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    vocab: int = 60
    max_len: int = 24
    dim: int = 32
    heads: int = 4
    layers: int = 2
    lr: float = 2e-3
    batch: int = 64
    steps: int = 400
    seed: int = 5


PAD, CLS = 0, 1
POSITIVE = range(2, 12)
NEGATIVE = range(12, 22)


def make_reviews(n, cfg, rng):
    seqs, labels = [], []
    while len(seqs) < n:
        length = rng.randint(6, cfg.max_len - 2)
        words = [rng.randint(2, 21) if rng.random() < 0.5 else rng.randint(22, cfg.vocab - 1) for _ in range(length)]
        score = sum(w in POSITIVE for w in words) - sum(w in NEGATIVE for w in words)
        if score == 0:
            continue
        ids = [CLS] + words
        seqs.append(ids + [PAD] * (cfg.max_len - len(ids)))
        labels.append(int(score > 0))
    return torch.tensor(seqs), torch.tensor(labels)


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (z.view(b, t, self.heads, d // self.heads).transpose(1, 2) for z in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(d // self.heads)
        scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e9)
        ctx = scores.softmax(dim=-1) @ v
        return self.proj(ctx.transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, mask):
        x = x + self.attn(self.n1(x), mask)
        return x + self.ff(self.n2(x))


class ReviewClassifier(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Embedding(cfg.max_len, cfg.dim)
        self.blocks = nn.ModuleList(Block(cfg.dim, cfg.heads) for _ in range(cfg.layers))
        self.norm = nn.LayerNorm(cfg.dim)
        self.out = nn.Linear(cfg.dim, 2)

    def forward(self, ids):
        mask = ids.ne(PAD)
        x = self.tok(ids) + self.pos(torch.arange(ids.size(1)))
        for blk in self.blocks:
            x = blk(x, mask)
        return self.out(self.norm(x[:, 0]))


def run(cfg):
    torch.manual_seed(cfg.seed)
    rng = random.Random(cfg.seed)
    xtr, ytr = make_reviews(2500, cfg, rng)
    xva, yva = make_reviews(500, cfg, rng)
    model = ReviewClassifier(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 30))
    avg = None
    for step in range(cfg.steps):
        model.train()
        pick = torch.randint(0, len(xtr), (cfg.batch,))
        loss = F.cross_entropy(model(xtr[pick]), ytr[pick])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        warm.step()
        avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
        if (step + 1) % 50 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(xva).argmax(-1) == yva).float().mean().item()
            print(f"step {step + 1:4d} | loss {avg:.4f} | val acc {acc:.3f}")


if __name__ == "__main__":
    run(Config())
