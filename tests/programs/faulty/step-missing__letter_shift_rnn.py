"""Learns a Caesar shift of letters with a GRU; the training step lives in its own function.

fault: step-missing
also:
split: test
line: 39
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)
LETTERS, SHIFT, LENGTH = 26, 5, 12


class Cipher(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.letters = nn.Embedding(LETTERS, 32)
        self.rnn = nn.GRU(32, hidden, batch_first=True)
        self.scores = nn.Linear(hidden, LETTERS)

    def forward(self, text):
        states, _ = self.rnn(self.letters(text))
        return self.scores(states)


def make_batch(size):
    text = torch.randint(LETTERS, (size, LENGTH))
    return text, (text + SHIFT) % LETTERS


def training_step(model, optimizer, criterion, batch):
    text, secret = batch
    optimizer.zero_grad()
    scores = model(text)
    loss = criterion(scores.reshape(-1, LETTERS), secret.reshape(-1))
    loss.backward()
    return loss.item()


model = Cipher()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()
for step in range(250):
    value = training_step(model, optimizer, criterion, make_batch(32))
    if step % 50 == 0:
        print(f"step {step} loss {value:.3f}")
text, secret = make_batch(200)
with torch.no_grad():
    hits = (model(text).argmax(-1) == secret).float().mean()
print(f"letters right: {hits:.3f}")
