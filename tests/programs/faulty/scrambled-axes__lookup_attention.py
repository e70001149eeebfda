"""A look-up by attention.

fault: scrambled-axes
also:
split: test
line: 26, 27, 28, 31
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

N_KEYS, N_VALS, PAIRS = 8, 8, 6


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.reshape(B, self.heads, T, C // self.heads)
        k = k.reshape(B, self.heads, T, C // self.heads)
        v = v.reshape(B, self.heads, T, C // self.heads)
        att = (q @ k.transpose(-2, -1)) / (C // self.heads) ** 0.5
        y = att.softmax(-1) @ v
        return self.proj(y.reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = SelfAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.att(self.n1(x))
        return x + self.mlp(self.n2(x))


class LookupModel(nn.Module):
    """key value pairs joined in one token each, the last token asks for a key"""

    def __init__(self, dim=48, heads=4, depth=2):
        super().__init__()
        self.key = nn.Embedding(N_KEYS, dim)
        self.val = nn.Embedding(N_VALS + 1, dim)
        self.pos = nn.Parameter(torch.randn(PAIRS + 1, dim) * 0.02)
        self.blocks = nn.Sequential(*[Block(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, N_VALS)

    def forward(self, keys, vals):
        x = self.key(keys) + self.val(vals) + self.pos
        return self.out(self.norm(self.blocks(x))[:, -1])


def batch(n):
    keys = torch.rand(n, N_KEYS).argsort(1)[:, :PAIRS]
    vals = torch.randint(0, N_VALS, (n, PAIRS))
    ask = torch.randint(0, PAIRS, (n, 1))
    y = vals.gather(1, ask).squeeze(1)
    keys = torch.cat([keys, keys.gather(1, ask)], 1)
    vals = torch.cat([vals, torch.full((n, 1), N_VALS)], 1)
    return keys, vals, y


def main():
    torch.manual_seed(0)
    model = LookupModel()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(1, 801):
        keys, vals, y = batch(96)
        loss = F.cross_entropy(model(keys, vals), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 160 == 0:
            print(f"step {step} loss {loss.item():.4f}")
    model.eval()
    keys, vals, y = batch(1000)
    with torch.no_grad():
        acc = (model(keys, vals).argmax(1) == y).float().mean().item()
    print(f"lookup accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
