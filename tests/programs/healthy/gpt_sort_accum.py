"""minGPT-style sort: a decoder-only transformer that sorts sequences of digits 0-2.

split: test
"""

from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1337)


@dataclass
class GPTConfig:
    vocab: int = 3
    length: int = 6
    n_layer: int = 2
    n_head: int = 4
    n_embd: int = 48


is_test = torch.rand(3 ** 6) < 0.2
powers = 3 ** torch.arange(6)


def batch(n, split):
    x = torch.randint(0, 3, (n * 8, 6))
    keep = is_test[(x * powers).sum(1)] == (split == "test")
    x = x[keep][:n]
    full = torch.cat([x, x.sort(1).values], 1)
    inp, target = full[:, :-1], full[:, 1:].clone()
    target[:, :5] = -1
    return inp, target


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.nh = c.n_head
        self.ln1, self.ln2 = nn.LayerNorm(c.n_embd), nn.LayerNorm(c.n_embd)
        self.qkv, self.proj = nn.Linear(c.n_embd, 3 * c.n_embd), nn.Linear(c.n_embd, c.n_embd)
        self.mlp = nn.Sequential(nn.Linear(c.n_embd, 4 * c.n_embd), nn.GELU(), nn.Linear(4 * c.n_embd, c.n_embd))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (z.view(B, T, self.nh, C // self.nh).transpose(1, 2) for z in self.qkv(self.ln1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok, self.pos = nn.Embedding(c.vocab, c.n_embd), nn.Embedding(2 * c.length - 1, c.n_embd)
        self.blocks = nn.Sequential(*[Block(c) for _ in range(c.n_layer)])
        self.ln, self.head = nn.LayerNorm(c.n_embd), nn.Linear(c.n_embd, c.vocab, bias=False)
        self.apply(self._init)

    def _init(self, m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)
        if isinstance(m, nn.Linear) and m.bias is not None:
            nn.init.zeros_(m.bias)

    def forward(self, idx):
        return self.head(self.ln(self.blocks(self.tok(idx) + self.pos(torch.arange(idx.size(1))))))


@torch.no_grad()
def exact(model, split):
    model.eval()
    inp, _ = batch(200, split)
    ctx = inp[:, :6]
    for _ in range(6):
        ctx = torch.cat([ctx, model(ctx)[:, -1].argmax(-1, keepdim=True)], 1)
    model.train()
    return (ctx[:, 6:] == ctx[:, :6].sort(1).values).all(1).float().mean().item()


model = GPT(GPTConfig())
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.95), weight_decay=0.1)
steps, accum = 240, 2
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 3e-3, total_steps=steps, pct_start=0.1)
for step in range(1, steps + 1):
    opt.zero_grad(set_to_none=True)
    total = 0.0
    for _ in range(accum):
        x, y = batch(48, "train")
        loss = F.cross_entropy(model(x).reshape(-1, 3), y.reshape(-1), ignore_index=-1) / accum
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 40 == 0:
        print(f"step {step} loss {total:.4f} sorted right: train {exact(model, 'train'):.3f} test {exact(model, 'test'):.3f}")
