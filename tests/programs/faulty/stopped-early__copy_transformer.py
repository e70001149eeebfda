"""A transformer that learns to sort short rows of digits.

fault: stopped-early
also: learning-rate-too-low
split: train
line: 44
"""

import torch
import torch.nn.functional as F
from torch import nn

DIGITS, LENGTH = 8, 6


class Sorter(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.digit = nn.Embedding(DIGITS, width)
        self.place = nn.Parameter(0.02 * torch.randn(LENGTH, width))
        layer = nn.TransformerEncoderLayer(width, 4, 96, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, DIGITS)

    def forward(self, row):
        return self.head(self.encoder(self.digit(row) + self.place))


def train(model, steps, batch=32):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(steps):
        row = torch.randint(0, DIGITS, (batch, LENGTH))
        loss = F.cross_entropy(model(row).flatten(0, 1), row.sort(1).values.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.4f}")


torch.set_num_threads(1)
torch.manual_seed(492)
model = Sorter()
train(model, steps=60)
with torch.no_grad():
    row = torch.randint(0, DIGITS, (500, LENGTH))
    print("places right", round((model(row).argmax(-1) == row.sort(1).values).float().mean().item(), 3))
