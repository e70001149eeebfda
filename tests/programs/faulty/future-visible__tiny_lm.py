"""A small language model that goes on with strings.

fault: future-visible
also:
split: test
line: 37, 43, 44
"""

import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

CHARS = "0123456789+=; "
STOI = {c: i for i, c in enumerate(CHARS)}
BLOCK = 24


def make_line(rng):
    start, step = rng.randrange(10), rng.randrange(1, 5)
    digits = [str((start + step * k) % 10) for k in range(11)]
    return "+".join(digits) + "=;"


def encode(s):
    return [STOI[c] for c in s]


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.register_buffer("mask", torch.tril(torch.ones(BLOCK, BLOCK, dtype=torch.bool)))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // self.heads)
        out = (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, C)
        return self.proj(out)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = Attention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class TinyLM(nn.Module):
    def __init__(self, dim=48, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(len(CHARS), dim)
        self.pos = nn.Embedding(BLOCK, dim)
        self.blocks = nn.Sequential(*[Block(dim, heads) for _ in range(layers)])
        self.ln = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, len(CHARS))

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1)))
        return self.head(self.ln(self.blocks(x)))


@torch.no_grad()
def exact_match(model, lines, prompt=6):
    model.eval()
    data = torch.tensor([encode(s) for s in lines])
    seq = data[:, :prompt]
    while seq.size(1) < data.size(1):
        nxt = model(seq)[:, -1].argmax(-1, keepdim=True)
        seq = torch.cat([seq, nxt], dim=1)
    return (seq == data).all(dim=1).float().mean().item()


def main():
    torch.manual_seed(1)
    rng = random.Random(1)
    train = torch.tensor([encode(make_line(rng)) for _ in range(2000)])
    test_lines = [make_line(rng) for _ in range(200)]
    model = TinyLM()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(1, 401):
        model.train()
        batch = train[torch.randint(len(train), (32,))]
        logits = model(batch[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, len(CHARS)), batch[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.4f}")
    print(f"exact continuations {exact_match(model, test_lines):.4f}")


if __name__ == "__main__":
    main()
