"""A transformer that finds out which of two symbols comes first in a sequence.

fault: unused-parameter
also:
split: test
line: 30
"""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attention(h, h, h, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class OrderModel(nn.Module):
    def __init__(self, symbols, length, width=32, heads=4, depth=2):
        super().__init__()
        self.token_embedding = nn.Embedding(symbols, width)
        self.position_embedding = nn.Embedding(length, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(depth)])
        self.head = nn.Linear(width, 2)

    def forward(self, ids):
        x = self.token_embedding(ids)
        return self.head(self.blocks(x).mean(1))


def which_first(count, length=12):
    ids = torch.randint(2, 10, (count, length))
    spots = torch.rand(count, length).argsort(1)[:, :2]
    ids.scatter_(1, spots, torch.tensor([0, 1]).expand(count, 2))
    return ids, (spots[:, 0] < spots[:, 1]).long()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(26)
    model = OrderModel(symbols=10, length=12)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    correct = []
    for step in range(1, 251):
        ids, first = which_first(48)
        logits = model(ids)
        loss = -logits.log_softmax(1).gather(1, first.unsqueeze(1)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        correct.append((logits.argmax(1) == first).float().mean().item())
        if step % 50 == 0:
            print(f"{step}: loss {loss.item():.4f}, accuracy of the last 50 {sum(correct[-50:]) / 50:.3f}")
