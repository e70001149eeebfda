"""A character GPT with warm-up, cosine decay, AdamW with weight decay 0.1 and clipping at 1.0.

split: train
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1337)

VERSE = "the cat sat on the mat. the dog ran to the fog. a bird sang in the ring. the fish had a wish. "
text = VERSE * 30
letters = sorted(set(text))
data = torch.tensor([letters.index(letter) for letter in text])
CONTEXT, WIDTH, HEADS = 32, 64, 4


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (part.view(b, t, HEADS, c // HEADS).transpose(1, 2) for part in self.qkv(self.ln1(x)).chunk(3, -1))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(mixed.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(len(letters), WIDTH)
        self.position = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(Block(), Block())
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, len(letters), bias=False)
        self.apply(self.start)

    def start(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, tokens, targets=None):
        x = self.token(tokens) + self.position(torch.arange(tokens.shape[1]))
        logits = self.head(self.norm(self.blocks(x)))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


model = GPT()
decayed = [p for p in model.parameters() if p.dim() >= 2]
plain = [p for p in model.parameters() if p.dim() < 2]
groups = [{"params": decayed, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=3e-3, betas=(0.9, 0.95))
STEPS, WARMUP = 200, 20


def rate(step):
    if step < WARMUP:
        return (step + 1) / WARMUP
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - WARMUP) / (STEPS - WARMUP)))


scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
for step in range(STEPS):
    starts = torch.randint(0, len(data) - CONTEXT - 1, (16,))
    tokens = torch.stack([data[i : i + CONTEXT] for i in starts])
    targets = torch.stack([data[i + 1 : i + 1 + CONTEXT] for i in starts])
    _, loss = model(tokens, targets)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    if step % 40 == 0:
        print(f"iter {step}: loss {loss.item():.3f}")

model.eval()
line = data[:8].unsqueeze(0)
with torch.no_grad():
    for _ in range(60):
        logits, _ = model(line[:, -CONTEXT:])
        line = torch.cat([line, logits[:, -1:].argmax(-1)], 1)
print(f"loss {loss.item():.3f}:", "".join(letters[i] for i in line[0]))
