"""A language of nested brackets, read in many lanes at once: the next closing bracket must fit the one left open.

fault: hidden-state-lost
also:
split: train
line: 66
"""

import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(15)
random.seed(15)
OPEN, CLOSE, FILL = "([{", ")]}", "ab"
LETTERS = OPEN + CLOSE + FILL
LANES, PIECE = 24, 12


def text(length):
    """Long flat stretches of filling inside of at most one open bracket."""
    out, opened = [], None
    while len(out) < length:
        if opened is None:
            opened = random.randrange(3)
            out.append(OPEN[opened])
        out += random.choices(FILL, k=random.randint(3, 14))
        out.append(CLOSE[opened])
        opened = None
    return torch.tensor([LETTERS.index(letter) for letter in out[:length]])


def lanes(sequence):
    return sequence[: len(sequence) // LANES * LANES].view(LANES, -1).t().contiguous()


class Reader(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(len(LETTERS), 16)
        self.lstm = nn.LSTM(16, width)
        self.logits = nn.Linear(width, len(LETTERS))

    def begin(self, size):
        return torch.zeros(1, size, self.width), torch.zeros(1, size, self.width)

    def forward(self, letters, state):
        out, state = self.lstm(self.embedding(letters), state)
        return self.logits(out), state


train, test = lanes(text(24 * 1800)), lanes(text(24 * 240))
model = Reader()
optimizer = torch.optim.Adam(model.parameters(), lr=6e-3)
criterion = nn.CrossEntropyLoss(reduction="none")
closing = torch.tensor([letter in CLOSE for letter in LETTERS])



def sweep(data, learning):
    total, steps, right, asked = 0.0, 0, 0, 0
    for begin in range(0, len(data) - PIECE - 1, PIECE):
        state = model.begin(LANES)
        logits, state = model(data[begin : begin + PIECE], state)
        wanted = data[begin + 1 : begin + PIECE + 1].flatten()
        losses = criterion(logits.flatten(0, 1), wanted)
        weight = 1 + 9 * closing[wanted].float()
        loss = (losses * weight).sum() / weight.sum()
        if learning:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        state = tuple(part.detach() for part in state)
        chosen = logits.detach().flatten(0, 1)[:, 3:6].argmax(-1) + 3
        right += (chosen == wanted)[closing[wanted]].sum().item()
        asked += closing[wanted].sum().item()
        total, steps = total + loss.item(), steps + 1
    return total / steps, right / asked


for epoch in range(4):
    loss, _ = sweep(train, True)
    with torch.no_grad():
        _, fits = sweep(test, False)
    print(f"epoch {epoch} loss {loss:.4f} closing brackets that fit {fits:.3f}")
