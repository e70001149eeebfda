"""A small GPT for characters.

split: test
"""

import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GPTConfig:
    vocab: int = 10
    block: int = 32
    layers: int = 2
    heads: int = 4
    dim: int = 48


class CausalBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads = c.heads
        self.ln1, self.ln2 = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.qkv = nn.Linear(c.dim, 3 * c.dim, bias=False)
        self.proj = nn.Linear(c.dim, c.dim, bias=False)
        self.mlp = nn.Sequential(nn.Linear(c.dim, 4 * c.dim), nn.GELU(), nn.Linear(4 * c.dim, c.dim))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(self.ln1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.dim)
        self.pos = nn.Embedding(c.block, c.dim)
        self.blocks = nn.Sequential(*[CausalBlock(c) for _ in range(c.layers)])
        self.ln = nn.LayerNorm(c.dim)
        self.head = nn.Linear(c.dim, c.vocab, bias=False)
        self.head.weight = self.tok.weight
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)
            if getattr(m, "bias", None) is not None:
                nn.init.zeros_(m.bias)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1)))
        return self.head(self.ln(self.blocks(x)))


def make_corpus(n, gen, table):
    """Second-order chain: after the pair (a, b) comes table[a, b], with 10% noise."""
    out = [0, 1]
    noise = torch.rand(n, generator=gen)
    rand = torch.randint(0, table.size(0), (n,), generator=gen)
    for i in range(n - 2):
        out.append(int(rand[i]) if noise[i] < 0.1 else int(table[out[-2], out[-1]]))
    return torch.tensor(out)


def get_batch(data, cfg, size, gen):
    ix = torch.randint(0, len(data) - cfg.block - 1, (size,), generator=gen)
    x = torch.stack([data[i:i + cfg.block] for i in ix])
    y = torch.stack([data[i + 1:i + cfg.block + 1] for i in ix])
    return x, y


def param_groups(model, wd):
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": decay, "weight_decay": wd}, {"params": rest, "weight_decay": 0.0}]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(1)
    cfg = GPTConfig()
    table = torch.randint(0, cfg.vocab, (cfg.vocab, cfg.vocab), generator=gen)
    corpus = make_corpus(40000, gen, table)
    train, val = corpus[:36000], corpus[36000:]
    model = GPT(cfg)
    steps, warm = 220, 20
    opt = torch.optim.AdamW(param_groups(model, 0.05), lr=6e-3, betas=(0.9, 0.95))
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min((s + 1) / warm, 0.1 + 0.45 * (1 + math.cos(math.pi * s / steps))))
    for step in range(1, steps + 1):
        x, y = get_batch(train, cfg, 24, gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 44 == 0:
            model.eval()
            with torch.no_grad():
                xv, yv = get_batch(val, cfg, 64, gen)
                vl = F.cross_entropy(model(xv).flatten(0, 1), yv.flatten())
            model.train()
            print(f"step {step} train {loss.item():.3f} val {vl.item():.3f} uniform {math.log(cfg.vocab):.3f}")


if __name__ == "__main__":
    main()
