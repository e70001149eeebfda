"""A tiny character GPT on sentences from a small grammar.

split: test
"""

import math
import random
import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)
torch.manual_seed(0)
WHO = "the cat|the dog|a bird|my sister|the old man|a child|the teacher|our neighbour".split("|")
DOES = "sees|likes|follows|finds|hears|remembers|draws|helps".split("|")
WHAT = "the river|a red house|the moon|a small boat|the garden|an apple|the music|a letter".split("|")
WHEN = "today|at night|in the morning|every week|again|in winter".split("|")


def sentence():
    return f"{random.choice(WHO)} {random.choice(DOES)} {random.choice(WHAT)} {random.choice(WHEN)}. "


text = "".join(sentence() for _ in range(3000))
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
train_ids, val_ids = ids[:cut], ids[cut:]
BLOCK, BATCH, DIM, HEADS, LAYERS = 48, 24, 64, 4, 2


def get_batch(src):
    ix = torch.randint(len(src) - BLOCK - 1, (BATCH,))
    x = torch.stack([src[i:i + BLOCK] for i in ix])
    y = torch.stack([src[i + 1:i + BLOCK + 1] for i in ix])
    return x, y


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.qkv = nn.Linear(DIM, 3 * DIM)
        self.proj = nn.Linear(DIM, DIM)
        self.mlp = nn.Sequential(nn.Linear(DIM, 4 * DIM), nn.GELU(), nn.Linear(4 * DIM, DIM))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(B, T, 3, HEADS, C // HEADS).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, DIM), nn.Embedding(BLOCK, DIM)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.ln = nn.LayerNorm(DIM)
        self.head = nn.Linear(DIM, vocab, bias=False)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)
            if getattr(m, "bias", None) is not None:
                nn.init.zeros_(m.bias)

    def forward(self, idx, targets=None):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1)))
        logits = self.head(self.ln(self.blocks(x)))
        if targets is None:
            return logits
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


model = GPT(len(chars))
MAX, WARM = 700, 50
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.95), weight_decay=0.1)
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: (s + 1) / WARM if s < WARM else 0.1 + 0.45 * (1 + math.cos(math.pi * (s - WARM) / (MAX - WARM))))

for step in range(MAX):
    loss = model(*get_batch(train_ids))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 100 == 0 or step == MAX - 1:
        model.eval()
        with torch.no_grad():
            val = sum(model(*get_batch(val_ids)).item() for _ in range(8)) / 8
        model.train()
        print(f"step {step} train {loss.item():.4f} val {val:.4f}")

floor = (2 * math.log(8) + math.log(8) + math.log(6)) / (len(text) / 3000)
idx = torch.tensor([[stoi["t"]]])
model.eval()
with torch.no_grad():
    for _ in range(120):
        p = F.softmax(model(idx[:, -BLOCK:])[:, -1], -1)
        idx = torch.cat([idx, torch.multinomial(p, 1)], 1)
print("entropy floor per char about", round(floor, 3))
print("".join(chars[i] for i in idx[0].tolist()))
