"""A small GPT learns characters.

fault: learning-rate-too-high
also: 
split: test
line: 28
"""

import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(1337)


@dataclass
class GPTConfig:
    block_size: int = 12
    n_embd: int = 48
    n_head: int = 4
    n_layer: int = 2
    batch_size: int = 48
    max_iters: int = 250
    learning_rate: float = 1e-1


cfg = GPTConfig()
text = "".join(f"{a}+{b}={(a + b) % 10};" for a in range(10) for b in range(10) for _ in range(4))
chunks = [text[i:i + 6] for i in range(0, len(text), 6)]
order = torch.randperm(len(chunks)).tolist()
text = "".join(chunks[i] for i in order)
stoi = {c: i for i, c in enumerate(sorted(set(text)))}
data = torch.tensor([stoi[c] for c in text])
n = int(0.9 * len(data))
train_data, val_data = data[:n], data[n:]


def get_batch(d):
    ix = torch.randint(len(d) - cfg.block_size - 1, (cfg.batch_size,))
    x = torch.stack([d[i:i + cfg.block_size] for i in ix])
    y = torch.stack([d[i + 1:i + cfg.block_size + 1] for i in ix])
    return x, y


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(cfg.n_embd), nn.LayerNorm(cfg.n_embd)
        self.qkv = nn.Linear(cfg.n_embd, 3 * cfg.n_embd)
        self.proj = nn.Linear(cfg.n_embd, cfg.n_embd)
        self.mlp = nn.Sequential(nn.Linear(cfg.n_embd, 4 * cfg.n_embd), nn.GELU(), nn.Linear(4 * cfg.n_embd, cfg.n_embd))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(B, T, 3, cfg.n_head, C // cfg.n_head).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(len(stoi), cfg.n_embd)
        self.wpe = nn.Embedding(cfg.block_size, cfg.n_embd)
        self.blocks = nn.Sequential(*[Block() for _ in range(cfg.n_layer)])
        self.ln_f = nn.LayerNorm(cfg.n_embd)
        self.lm_head = nn.Linear(cfg.n_embd, len(stoi))

    def forward(self, idx):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1)))
        return self.lm_head(self.ln_f(self.blocks(x)))


def lm_loss(logits, y):
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))


model = GPT()
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.learning_rate)
for it in range(cfg.max_iters + 1):
    if it % 50 == 0:
        model.eval()
        with torch.no_grad():
            x, y = get_batch(val_data)
            vl = lm_loss(model(x), y).item()
        print(f"iter {it}: val loss {vl:.4f} (uniform {math.log(len(stoi)):.2f})")
        model.train()
    x, y = get_batch(train_data)
    loss = lm_loss(model(x), y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
