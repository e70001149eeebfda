"""Character language model on station announcements, attention written by hand.

fault: future-visible
also:
split: test
line: 44
"""
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class LMConfig:
    block: int = 40
    dim: int = 48
    heads: int = 4
    layers: int = 2
    steps: int = 600
    batch: int = 32
    lr: float = 2e-3


def make_text(lines, seed):
    rng = random.Random(seed)
    cities = ["oslo", "bergen", "lund", "malmo", "kiel", "hamburg", "turku", "riga"]
    kinds = ["express", "local", "night"]
    out = []
    for _ in range(lines):
        c = rng.choice(cities)
        out.append(f"the {rng.choice(kinds)} train to {c} leaves {c} track {len(c)} at {rng.randint(0, 23):02d}.")
    return "\n".join(out)


class Attention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.h = cfg.heads
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)
        self.proj = nn.Linear(cfg.dim, cfg.dim)
        self.register_buffer("mask", torch.tril(torch.ones(cfg.block, cfg.block), diagonal=1))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        att = q @ k.transpose(-2, -1) / (C // self.h) ** 0.5
        att = att.masked_fill(self.mask[:T, :T] == 0, float("-inf")).softmax(-1)
        return self.proj((att @ v).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)
        self.att = Attention(cfg)
        self.mlp = nn.Sequential(nn.Linear(cfg.dim, 4 * cfg.dim), nn.GELU(), nn.Linear(4 * cfg.dim, cfg.dim))

    def forward(self, x):
        x = x + self.att(self.n1(x))
        return x + self.mlp(self.n2(x))


class LM(nn.Module):
    def __init__(self, vocab, cfg):
        super().__init__()
        self.tok = nn.Embedding(vocab, cfg.dim)
        self.pos = nn.Embedding(cfg.block, cfg.dim)
        self.blocks = nn.Sequential(*[Block(cfg) for _ in range(cfg.layers)])
        self.norm = nn.LayerNorm(cfg.dim)
        self.out = nn.Linear(cfg.dim, vocab)

    def forward(self, ids):
        h = self.tok(ids) + self.pos(torch.arange(ids.shape[1]))
        return self.out(self.norm(self.blocks(h)))


def batch_of(data, cfg):
    start = torch.randint(0, len(data) - cfg.block - 1, (cfg.batch,))
    rows = torch.stack([data[s:s + cfg.block + 1] for s in start])
    return rows[:, :-1], rows[:, 1:]


@torch.no_grad()
def completion_accuracy(model, data, cfg, n=300):
    """Give the model a prefix, let it write the next character."""
    model.eval()
    right = 0
    for _ in range(n):
        length = int(torch.randint(15, cfg.block, ()))
        s = int(torch.randint(0, len(data) - cfg.block - 1, ()))
        logits = model(data[s:s + length][None])
        right += int(logits[0, -1].argmax() == data[s + length])
    model.train()
    return right / n


def main():
    torch.manual_seed(2)
    cfg = LMConfig()
    train_text, val_text = make_text(1500, 1), make_text(300, 2)
    chars = sorted(set(train_text))
    code = {c: i for i, c in enumerate(chars)}
    train = torch.tensor([code[c] for c in train_text])
    val = torch.tensor([code[c] for c in val_text])

    model = LM(len(chars), cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.lr, total_steps=cfg.steps, pct_start=0.1)
    for step in range(cfg.steps):
        x, y = batch_of(train, cfg)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 100 == 0 or step == cfg.steps - 1:
            acc = completion_accuracy(model, val, cfg, 100)
            print(f"step {step:4d} loss {loss.item():.4f} completion acc {acc:.3f}")
    print(f"score {completion_accuracy(model, val, cfg, 600):.4f}")


if __name__ == "__main__":
    main()
