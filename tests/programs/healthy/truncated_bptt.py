"""A stateful LSTM over one long text: the hidden state is carried on and detached between pieces.

split: test
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(61)

text = "one two three four five six seven eight nine ten eleven twelve " * 150
vocabulary = sorted(set(text))
codes = torch.tensor([vocabulary.index(c) for c in text])
ROWS, PIECE = 8, 25
columns = len(codes) // ROWS
stream = codes[: ROWS * columns].view(ROWS, columns)


class CharModel(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.embed = nn.Embedding(len(vocabulary), 16)
        self.lstm = nn.LSTM(16, width, batch_first=True)
        self.head = nn.Linear(width, len(vocabulary))

    def forward(self, tokens, state=None):
        out, state = self.lstm(self.embed(tokens), state)
        return self.head(out), state


model = CharModel()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(4):
    state = None
    for start in range(0, columns - PIECE - 1, PIECE):
        tokens = stream[:, start : start + PIECE]
        targets = stream[:, start + 1 : start + PIECE + 1]
        if state is not None:
            state = tuple(part.detach() for part in state)
        logits, state = model(tokens, state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    accuracy = (logits.argmax(-1) == targets).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.3f} next letter right {accuracy:.3f}")
