"""Character model of a little verse, input and output embeddings tied, gradient checkpointing in the blocks.

split: test
"""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

TEXT = """the fog comes on little cat feet it sits looking over harbor and city on silent haunches and then moves on
so much depends upon a red wheel barrow glazed with rain water beside the white chickens """ * 12
chars = sorted(set(TEXT))
ids = torch.tensor([chars.index(c) for c in TEXT])
BLOCK, D = 32, 48


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.qkv, self.o = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.ff = nn.Sequential(nn.Linear(D, 2 * D), nn.GELU(), nn.Linear(2 * D, D))

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (z.view(b, t, 4, D // 4).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        a = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, D))
        return x + self.ff(self.n2(x))


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(len(chars), D)
        self.pos = nn.Embedding(BLOCK, D)
        self.blocks = nn.ModuleList([Block(), Block()])
        self.norm = nn.LayerNorm(D)
        self.head = nn.Linear(D, len(chars), bias=False)
        nn.init.normal_(self.tok.weight, std=0.2)
        self.head.weight = self.tok.weight

    def forward(self, i):
        x = self.tok(i) + self.pos(torch.arange(i.shape[1]))
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False)
        return self.head(self.norm(x))


torch.manual_seed(0)
lm = LM()
opt = torch.optim.AdamW(lm.parameters(), lr=6e-3)
warm = torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, total_iters=20)
for step in range(260):
    s = torch.randint(0, len(ids) - BLOCK - 1, (16,))
    xb = torch.stack([ids[k:k + BLOCK] for k in s])
    yb = torch.stack([ids[k + 1:k + BLOCK + 1] for k in s])
    loss = nn.functional.cross_entropy(lm(xb).flatten(0, 1), yb.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    warm.step()
    if step % 40 == 0:
        print(step, loss.item())
print("SCORE", -loss.item())
