"""Next words of a small text.

fault: future-visible
also:
split: test
line: 39, 47
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = """
in the old house by the sea lived a woman with three cats and a clock that never stopped .
each morning she opened the window and counted the boats on the water .
one day there was a boat she did not know and a boy who waved at her .
she gave the boy bread and milk and he told her about the island in the north .
on the island there are birds as white as snow and a tower without a door .
the woman packed her bag , stopped the clock and went with the boy to the island .
the three cats sat in the window and counted the boats on the water .
"""
tokens = TEXT.split()
vocab = sorted(set(tokens))
stoi = {w: i for i, w in enumerate(vocab)}
data = torch.tensor([stoi[w] for w in tokens])
CONTEXT = 24


class CausalAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = CausalAttention(dim, heads)
        self.ff = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.att(self.ln1(x))
        return x + self.ff(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, dim=48, heads=4, depth=2):
        super().__init__()
        self.wte = nn.Embedding(len(vocab), dim)
        self.wpe = nn.Embedding(CONTEXT, dim)
        self.layers = nn.Sequential(*[Layer(dim, heads) for _ in range(depth)])
        self.ln = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, len(vocab))

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(ids.size(1)))
        return self.head(self.ln(self.layers(x)))


def get_batch(n):
    i = torch.randint(0, len(data) - CONTEXT, (n,))
    return (torch.stack([data[k:k + CONTEXT] for k in i]),
            torch.stack([data[k + 1:k + CONTEXT + 1] for k in i]))


@torch.no_grad()
def continuation_accuracy(model, n_new=6):
    model.eval()
    good = total = 0
    for s in range(0, len(data) - 5 - n_new, 3):
        ids = data[s:s + 5].unsqueeze(0)
        for _ in range(n_new):
            nxt = model(ids[:, -CONTEXT:])[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, nxt], 1)
        good += (ids[0, 5:] == data[s + 5:s + 5 + n_new]).sum().item()
        total += n_new
    return good / total


torch.manual_seed(0)
model = GPT()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
for step in range(1, 251):
    model.train()
    x, y = get_batch(24)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.4f}")
print(f"loss {loss.item():.4f}  accuracy when continuing the text {continuation_accuracy(model):.3f}")
