"""An encoder and a decoder learn to reverse digit strings with teacher forcing; padding is ignored by the loss.

split: train
"""

import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(70)
random.seed(70)
PAD, START, END = 0, 1, 2


def make_batch(size):
    sources, targets = [], []
    for _ in range(size):
        word = [random.randrange(3, 9) for _ in range(random.randrange(2, 6))]
        sources.append(word + [PAD] * (5 - len(word)))
        targets.append([START, *reversed(word), END] + [PAD] * (5 - len(word)))
    return torch.tensor(sources), torch.tensor(targets)


class Encoder(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.embed = nn.Embedding(9, 24, padding_idx=PAD)
        self.gru = nn.GRU(24, width, batch_first=True)

    def forward(self, source):
        return self.gru(self.embed(source))[1]


class Decoder(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.embed = nn.Embedding(9, 24, padding_idx=PAD)
        self.gru = nn.GRU(24, width, batch_first=True)
        self.out = nn.Linear(width, 9)

    def forward(self, tokens, hidden):
        states, hidden = self.gru(self.embed(tokens), hidden)
        return self.out(states), hidden


encoder, decoder = Encoder(), Decoder()
optimizer = torch.optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=5e-3)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for step in range(350):
    source, target = make_batch(64)
    logits, _ = decoder(target[:, :-1], encoder(source))
    loss = criterion(logits.reshape(-1, 9), target[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(step, loss.item())

source, target = make_batch(200)
with torch.no_grad():
    hidden, token = encoder(source), torch.full((200, 1), START)
    answer = []
    for _ in range(6):
        logits, hidden = decoder(token, hidden)
        token = logits.argmax(-1)
        answer.append(token)
    answer = torch.cat(answer, 1)
wanted = target[:, 1:]
print("strings reversed:", ((answer == wanted) | (wanted == PAD)).all(1).float().mean().item())
