"""Clicks from categorical fields that share one table, each field with rows of its own.

fault: unused-embedding-rows
also:
split: train
line: 24
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

FIELDS = [12, 12, 12, 12]


class Clicks(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.register_buffer("offsets", torch.tensor([0, *FIELDS[:-1]]).cumsum(0))
        self.table = nn.Embedding(sum(FIELDS), width)
        self.linear = nn.Embedding(sum(FIELDS), 1)

    def forward(self, fields):
        rows = fields
        vectors = self.table(rows)
        pairs = (vectors.sum(1).pow(2) - vectors.pow(2).sum(1)).sum(1)
        return self.linear(rows).sum((1, 2)) + 0.5 * pairs


def impressions(count, taste):
    fields = torch.stack([torch.randint(0, size, (count,)) for size in FIELDS], 1)
    score = sum(taste[i][fields[:, i]] for i in range(len(FIELDS)))
    return fields, (score > 0).float()


torch.set_num_threads(1)
torch.manual_seed(82)
taste = [torch.randn(size) for size in FIELDS]
loader = DataLoader(TensorDataset(*impressions(3000, taste)), batch_size=100, shuffle=True)
test_fields, test_clicks = impressions(800, taste)
model = Clicks()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(12):
    for fields, clicks in loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(fields), clicks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = ((model(test_fields) > 0).float() == test_clicks).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
