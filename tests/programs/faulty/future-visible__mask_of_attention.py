"""A small decoder that learns to count on: sequences with a fixed step modulo 17, continued after training.

fault: future-visible
also:
split: test
line: 24
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)
SIZE, LENGTH, WIDTH = 17, 16, 48


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(SIZE, WIDTH)
        self.places = nn.Parameter(0.02 * torch.randn(LENGTH, WIDTH))
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 96, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.register_buffer("mask", torch.triu(torch.ones(LENGTH, LENGTH), diagonal=2).bool())
        self.out = nn.Linear(WIDTH, SIZE)

    def forward(self, ids):
        length = ids.shape[1]
        hidden = self.tokens(ids) + self.places[:length]
        return self.out(self.encoder(hidden, mask=self.mask[:length, :length]))


def sequences(count):
    start, step = torch.randint(0, SIZE, (count, 1)), torch.randint(1, 6, (count, 1))
    return (start + step * torch.arange(LENGTH + 1)) % SIZE


def main():
    model = Decoder()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for iteration in range(300):
        rows = sequences(32)
        scores = model(rows[:, :-1])
        loss = nn.functional.cross_entropy(scores.reshape(-1, SIZE), rows[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if iteration % 60 == 0:
            print(f"iteration {iteration}: loss {loss.item():.3f}")
    model.eval()
    rows = sequences(200)
    ids = rows[:, :8]
    with torch.no_grad():
        while ids.shape[1] < LENGTH:
            ids = torch.cat([ids, model(ids)[:, -1:].argmax(-1)], 1)
    print(f"continued rightly: {(ids[:, 8:] == rows[:, 8:LENGTH]).float().mean().item():.3f}")


main()
