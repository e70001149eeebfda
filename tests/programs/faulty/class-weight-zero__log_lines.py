"""Parts of log lines are marked by a convolution over their words: times, hosts, codes, and plain text.

fault: class-weight-zero
also:
split: train
line: 16
"""

import random

import torch
from torch import nn

KINDS = {"text": 0, "time": 1, "host": 2, "code": 3}
WORDS = {"text": range(1, 61), "time": range(61, 91), "host": range(91, 121), "code": range(121, 141)}
FILLER = 0
torch.set_num_threads(1)
random.seed(33)
torch.manual_seed(33)


def line():
    kinds = random.choices(list(KINDS), weights=(6, 1, 1, 1), k=random.randint(6, 18))
    return [random.choice(WORDS[kind]) for kind in kinds], [KINDS[kind] for kind in kinds]


def batch_of(lines):
    longest = max(len(words) for words, _ in lines)
    words = torch.zeros(len(lines), longest, dtype=torch.long)
    kinds = torch.full((len(lines), longest), FILLER)
    for row, (line_words, line_kinds) in enumerate(lines):
        words[row, : len(line_words)] = torch.tensor(line_words)
        kinds[row, : len(line_kinds)] = torch.tensor(line_kinds)
    return words, kinds


class Marker(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(141, 32, padding_idx=0)
        self.near = nn.Conv1d(32, 48, 3, padding=1)
        self.kind = nn.Conv1d(48, len(KINDS), 1)

    def forward(self, words):
        return self.kind(torch.relu(self.near(self.table(words).transpose(1, 2))))


model = Marker()
criterion = nn.CrossEntropyLoss(ignore_index=FILLER)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
held_out = batch_of([line() for _ in range(200)])
for step in range(1, 301):
    words, kinds = batch_of([line() for _ in range(32)])
    loss = criterion(model(words), kinds)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 60 == 0:
        with torch.no_grad():
            found = model(held_out[0]).argmax(1)
        real = held_out[0] > 0
        print(f"step {step} loss {loss.item():.4f} right {(found == held_out[1])[real].float().mean():.3f}")
