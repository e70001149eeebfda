"""Digits in, running totals modulo ten out: a decoder of hand-written attention over an encoder.

fault: future-visible
also:
split: test
line: 38
"""

import torch
import torch.nn.functional as F
from torch import nn

N_DIGITS, START, STEPS = 10, 10, 10


class Attend(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.q, self.kv, self.out = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)

    def forward(self, x, memory, mask=None):
        b, t, d = x.shape
        q = self.q(x).view(b, t, self.heads, -1).transpose(1, 2)
        k, v = (p.view(b, memory.shape[1], self.heads, -1).transpose(1, 2) for p in self.kv(memory).chunk(2, -1))
        return self.out(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, t, d))


class Decoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.own, self.cross = Attend(dim), Attend(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.norms = nn.ModuleList(nn.LayerNorm(dim) for _ in range(3))

    def forward(self, x, memory):
        y = self.norms[0](x)
        x = x + self.own(y, y)
        x = x + self.cross(self.norms[1](x), memory)
        return x + self.mlp(self.norms[2](x))


class Totals(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.emb = nn.Embedding(11, dim)
        self.pos = nn.Parameter(0.5 * torch.randn(STEPS, dim))
        self.decoder = Decoder(dim)
        self.out = nn.Linear(dim, N_DIGITS)

    def forward(self, digits, so_far):
        memory = self.emb(digits) + self.pos
        return self.out(self.decoder(self.emb(so_far) + self.pos[: so_far.shape[1]], memory))


def batch(n, generator):
    digits = torch.randint(0, 10, (n, STEPS), generator=generator)
    totals = digits.cumsum(1) % 10
    return digits, torch.cat([torch.full((n, 1), START), totals], 1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    generator = torch.Generator().manual_seed(40)
    model = Totals()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 500)
    for step in range(500):
        digits, totals = batch(64, generator)
        scores = model(digits, totals[:, :-1])
        loss = F.cross_entropy(scores.transpose(1, 2), totals[:, 1:])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % 100 == 0:
            print(step, round(loss.item(), 4))
    model.eval()
    digits, totals = batch(300, generator)
    written = totals[:, :1]
    with torch.no_grad():
        for _ in range(STEPS):
            written = torch.cat([written, model(digits, written)[:, -1:].argmax(-1)], 1)
    print("totals right:", round((written[:, 1:] == totals[:, 1:]).float().mean().item(), 3))


if __name__ == "__main__":
    main()
