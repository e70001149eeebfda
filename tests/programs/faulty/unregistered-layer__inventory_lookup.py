"""A small transformer reads a table of (item, quantity) rows and answers a query about one item.

fault: unregistered-layer
also:
split: test
line: 55
"""
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    n_items: int = 16
    n_values: int = 10
    rows: int = 6
    dim: int = 48
    heads: int = 4
    layers: int = 2
    batch: int = 128
    steps: int = 320
    lr: float = 1e-3
    seed: int = 0


def sample(cfg, n, gen):
    items = torch.rand(n, cfg.n_items, generator=gen).argsort(1)[:, :cfg.rows]
    values = torch.randint(0, cfg.n_values, (n, cfg.rows), generator=gen)
    pick = torch.randint(0, cfg.rows, (n, 1), generator=gen)
    query = items.gather(1, pick)
    return torch.cat([items, query], 1), values, values.gather(1, pick).squeeze(1)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class TableReader(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.item = nn.Embedding(cfg.n_items, cfg.dim)
        self.value = nn.Embedding(cfg.n_values + 1, cfg.dim)  # last index: "asked for"
        self.blocks = [Block(cfg.dim, cfg.heads) for _ in range(cfg.layers)]
        self.norm = nn.LayerNorm(cfg.dim)
        self.out = nn.Linear(cfg.dim, cfg.n_values)
        self.ask = cfg.n_values

    def forward(self, items, values):
        values = nn.functional.pad(values, (0, 1), value=self.ask)
        x = self.item(items) + self.value(values)
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(x[:, -1]))


cfg = Config()
torch.manual_seed(cfg.seed)
gen = torch.Generator().manual_seed(cfg.seed + 1)
test_items, test_values, test_y = sample(cfg, 2000, torch.Generator().manual_seed(99))

model = TableReader(cfg)
opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
for step in range(1, cfg.steps + 1):
    items, values, y = sample(cfg, cfg.batch, gen)
    loss = nn.functional.cross_entropy(model(items, values), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    if step % 40 == 0:
        print(f"step {step} loss {loss.item():.3f}")

model.eval()
with torch.no_grad():
    acc = (model(test_items, test_values).argmax(1) == test_y).float().mean().item()
print(f"test accuracy {acc:.4f}")
