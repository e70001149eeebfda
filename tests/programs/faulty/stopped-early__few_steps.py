"""Sums, digit by digit, for a small GPT.

fault: stopped-early
also: 
split: train
line: 70
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1337)
torch.set_num_threads(1)

# toy corpus: four digits, then the same digits in ascending order
g = torch.Generator().manual_seed(7)
nums = torch.randperm(10000, generator=g)[:4000]
lines = [f"{n:04d}>" + "".join(sorted(f"{n:04d}")) for n in nums.tolist()]
chars = sorted(set("".join(lines)))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([[stoi[c] for c in l] for l in lines])
train, val = data[:3500], data[3500:]


class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(B, T, D))


class Layer(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = Attn(d, h)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.att(self.n1(x))
        return x + self.mlp(self.n2(x))


class GPT(nn.Module):
    def __init__(self, vocab, T, d=48, h=4, n=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(T, d)
        self.layers = nn.ModuleList([Layer(d, h) for _ in range(n)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab)

    def forward(self, idx):
        x = self.tok(idx) + self.pos.weight[: idx.shape[1]]
        for l in self.layers:
            x = l(x)
        return self.head(self.norm(x))


model = GPT(len(chars), 8)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
max_steps = 25
for step in range(max_steps):
    b = train[torch.randint(0, len(train), (64,))]
    logits = model(b[:, :-1])[:, 4:]
    loss = F.cross_entropy(logits.reshape(-1, len(chars)), b[:, 5:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    if step % 10 == 0 and (step < 60 or step % 100 == 0):
        print(step, round(loss.item(), 4))

model.eval()
with torch.no_grad():
    for name, part in (("train", train), ("held-out", val)):
        out = model(part[:, :-1]).argmax(-1)[:, 4:]
        print(f"{name}: digits right {(out == part[:, 5:]).float().mean():.3f}, whole answers {(out == part[:, 5:]).all(1).float().mean():.3f}")
