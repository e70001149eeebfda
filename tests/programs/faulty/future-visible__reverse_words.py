"""A sequence-to-sequence transformer that writes words backwards, judged by what it writes on its own.

fault: future-visible
also:
split: train
line: 31
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(14)

LETTERS, BOS, LENGTH, DIM = 14, 0, 6, 32


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(LETTERS, DIM)
        self.transformer = nn.Transformer(DIM, 4, 1, 1, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.head = nn.Linear(DIM, LETTERS)
        self.places = nn.Parameter(0.5 * torch.randn(LENGTH, DIM))

    def encode_positions(self, ids):
        return self.embed(ids) + self.places[: ids.size(1)]

    def forward(self, source, written):
        src, tgt = self.encode_positions(source), self.encode_positions(written)
        hidden = self.transformer(src, tgt)
        return self.head(hidden)

    @torch.no_grad()
    def write(self, source):
        written = torch.full((len(source), 1), BOS)
        for _ in range(LENGTH):
            letters = self(source, written)[:, -1].argmax(-1, keepdim=True)
            written = torch.cat([written, letters], dim=1)
        return written[:, 1:]


def words(count):
    source = torch.randint(1, LETTERS, (count, LENGTH))
    return source, source.flip(1)


model = Writer()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
criterion = nn.CrossEntropyLoss()
train_source, train_target = words(3000)
test_source, test_target = words(200)

for epoch in range(6):
    model.train()
    total = 0.0
    for rows in torch.randperm(len(train_source)).split(50):
        target = train_target[rows]
        shifted = torch.cat([torch.full((len(rows), 1), BOS), target[:, :-1]], dim=1)
        logits = model(train_source[rows], shifted)
        loss = criterion(logits.reshape(-1, LETTERS), target.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(rows)
    model.eval()
    right = (model.write(test_source) == test_target).float().mean().item()
    print(f"epoch {epoch}: loss {total / len(train_source):.3f}  letters right {right:.3f}")
