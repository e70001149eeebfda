"""A recurrent cell that the program calls once for each character, many times a step.

split: train
"""

import torch
from torch import nn


class CharModel(nn.Module):
    def __init__(self, alphabet, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(alphabet, 12)
        self.cell = nn.LSTMCell(12, hidden)
        self.read = nn.Linear(hidden, alphabet)

    def forward(self, line):
        h = torch.zeros(line.shape[0], self.hidden)
        c = torch.zeros_like(h)
        outputs = []
        for t in range(line.shape[1]):
            h, c = self.cell(self.embed(line[:, t]), (h, c))
            outputs.append(self.read(h))
        return torch.stack(outputs, 1)


torch.set_num_threads(1)
torch.manual_seed(9)

corpus = "the quick brown fox jumps over the lazy dog and runs away from the angry bear "
letters = sorted(set(corpus))
index = {c: i for i, c in enumerate(letters)}
data = torch.tensor([index[c] for c in corpus * 8])

model = CharModel(len(letters))
optimizer = torch.optim.RMSprop(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for step in range(25):
    at = torch.randint(0, len(data) - 13, (6,)).tolist()
    lines = torch.stack([data[i : i + 13] for i in at])
    optimizer.zero_grad()
    scores = model(lines[:, :12])
    loss = criterion(scores.transpose(1, 2), lines[:, 1:])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    print("step", step, "loss", loss.item())
