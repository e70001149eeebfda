"""A bidirectional encoder fills in masked tokens of arithmetic rows; the other positions do not count.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(52)
SIZE, LENGTH, MASK = 14, 12, 13


class Encoder(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.tokens = nn.Embedding(SIZE, width)
        self.places = nn.Embedding(LENGTH, width)
        layer = nn.TransformerEncoderLayer(width, 4, 96, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(width, SIZE)

    def forward(self, ids):
        return self.out(self.layers(self.tokens(ids) + self.places(torch.arange(ids.shape[1]))))


def batch(count):
    rows = (torch.randint(0, 13, (count, 1)) + torch.randint(1, 4, (count, 1)) * torch.arange(LENGTH)) % 13
    hidden = torch.rand(rows.shape) < 0.2
    return rows.masked_fill(hidden, MASK), rows.masked_fill(~hidden, -100)


model = Encoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1.5e-3)
for step in range(320):
    given, wanted = batch(48)
    loss = nn.functional.cross_entropy(model(given).flatten(0, 1), wanted.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 80 == 79:
        model.eval()
        with torch.no_grad():
            given, wanted = batch(200)
            right = model(given).argmax(-1) == wanted
        model.train()
        print(step, round(loss.item(), 3), round((right.sum() / (wanted >= 0).sum()).item(), 3))
