"""Reviews by attention.

fault: collapsed-attention
also: 
split: test
line: 75
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
PAD, CLS = 0, 1
GOOD, BAD = range(10, 25), range(25, 40)
VOCAB, MAX_LEN = 120, 28


def make_reviews(n, gen):
    """A review is good when it has more good than bad words among the filler."""
    x = torch.full((n, MAX_LEN), PAD)
    y = torch.zeros(n, dtype=torch.long)
    for i in range(n):
        length = int(torch.randint(8, 24, (1,), generator=gen))
        words = torch.randint(40, VOCAB, (length,), generator=gen)
        label = int(torch.randint(0, 2, (1,), generator=gen))
        strong, weak = (GOOD, BAD) if label else (BAD, GOOD)
        spots = torch.randperm(length, generator=gen)[:4]
        for j, s in enumerate(spots):
            pool = strong if j < 3 else weak
            words[s] = pool[int(torch.randint(0, len(pool), (1,), generator=gen))]
        x[i, 0] = CLS
        x[i, 1:length + 1] = words
        y[i] = label
    return x, y


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, blocked):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-2, -1)) * self.scale
        scores = scores.masked_fill(blocked[:, None, None, :], -1e4)
        out = scores.softmax(dim=-1) @ v
        return self.proj(out.transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, blocked):
        x = x + self.attn(self.ln1(x), blocked)
        return x + self.mlp(self.ln2(x))


class ReviewClassifier(nn.Module):
    def __init__(self, dim=32, heads=4, depth=2):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.pos = nn.Parameter(torch.randn(1, MAX_LEN, dim) * 0.02)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.ln = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, tokens):
        mask = tokens.ne(PAD)
        h = self.tok(tokens) + self.pos
        for block in self.blocks:
            h = block(h, mask)
        return self.head(self.ln(h[:, 0]))


def main():
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    x, y = make_reviews(2400, gen)
    x_train, y_train, x_val, y_val = x[:2000], y[:2000], x[2000:], y[2000:]
    model = ReviewClassifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(8):
        model.train()
        running = 0.0
        for idx in torch.randperm(len(x_train), generator=gen).split(50):
            loss = loss_fn(model(x_train[idx]), y_train[idx])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            acc = (model(x_val).argmax(1) == y_val).float().mean()
        print(f"epoch {epoch + 1} | train loss {running / len(x_train):.4f} | val acc {acc:.3f}")


if __name__ == "__main__":
    main()
