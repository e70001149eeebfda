"""A small encoder that tells the most frequent symbol of a sequence.

fault: learning-rate-too-high
also:
split: train
line: 39
"""

import torch
from torch import nn

torch.manual_seed(5)
LENGTH, VOCAB = 16, 5


def count_task(n):
    # which of the four symbols is the most frequent one (ties broken by the smaller one)
    x = torch.randint(1, VOCAB, (n, LENGTH))
    counts = torch.stack([(x == s).sum(1) for s in range(1, VOCAB)], 1)
    return x, counts.argmax(1)


class Encoder(nn.Module):
    def __init__(self, d=32, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, d)
        self.pos = nn.Parameter(torch.randn(LENGTH, d) * 0.02)
        block = nn.TransformerEncoderLayer(d, heads, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.cls = nn.Linear(d, 4)

    def forward(self, x):
        return self.cls(self.enc(self.tok(x) + self.pos).mean(1))


train_x, train_y = count_task(6000)
test_x, test_y = count_task(1000)
model = Encoder()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1, betas=(0.9, 0.98))
for epoch in range(5):
    model.train()
    for n, idx in enumerate(torch.randperm(6000).split(60)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(train_x[idx]), train_y[idx])
        loss.backward()
        optimizer.step()
        if n % 25 == 24:
            print(f"epoch {epoch} batch {n + 1} loss {loss.item():.4f}")
    model.eval()
    with torch.no_grad():
        print("   test accuracy", (model(test_x).argmax(1) == test_y).float().mean().item())
