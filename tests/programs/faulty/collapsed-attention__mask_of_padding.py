"""A transformer on padded sequences that counts which symbol is the most frequent.

fault: collapsed-attention
also:
split: train
line: 27
"""

import torch
from torch import nn

PAD, SYMBOLS = 0, 5


class Encoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS + 1, width)
        self.summary = nn.Parameter(0.1 * torch.randn(1, 1, width))
        self.attention = nn.MultiheadAttention(width, 4, batch_first=True)
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, SYMBOLS))

    def forward(self, ids):
        real = ids != PAD
        x = self.embedding(ids)
        query = self.summary.expand(len(ids), -1, -1)
        pooled, _ = self.attention(query, x, x, key_padding_mask=real)
        return self.head(pooled[:, 0])


def batch(count, longest=14):
    ids = torch.randint(1, SYMBOLS + 1, (count, longest))
    lengths = torch.randint(5, longest, (count, 1))
    ids[torch.arange(longest) >= lengths] = PAD
    return ids, torch.nn.functional.one_hot(ids, SYMBOLS + 1)[:, :, 1:].sum(1).argmax(1)


torch.set_num_threads(1)
torch.manual_seed(71)
model = Encoder()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for step in range(1, 501):
    ids, wanted = batch(64)
    loss = nn.functional.cross_entropy(model(ids), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        ids, wanted = batch(500)
        with torch.no_grad():
            right = (model(ids).argmax(1) == wanted).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} right {right:.3f}")
