"""Tagging of sentences of very different length with an LSTM.

fault: padding-in-loss
also:
split: test
line: 56
"""

import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD = 0
random.seed(7)
torch.manual_seed(7)
WORDS, TAGS = 60, 6


def sentence():
    n = random.choice([3, 4, 5, 6, 7, 40])
    words = [random.randint(1, WORDS) for _ in range(n)]
    tags, previous = [], 0
    for w in words:
        tag = (w + (previous % 2) * 3) % (TAGS - 1) + 1
        tags.append(tag)
        previous = w
    return torch.tensor(words), torch.tensor(tags)


def collate(items):
    words, tags = zip(*items)
    return pad_sequence(words, batch_first=True, padding_value=PAD), pad_sequence(tags, batch_first=True, padding_value=PAD)


train_set, test_set = [sentence() for _ in range(900)], [sentence() for _ in range(200)]
train = DataLoader(train_set, batch_size=32, shuffle=True, collate_fn=collate)
test = DataLoader(test_set, batch_size=50, collate_fn=collate)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS + 1, 32, padding_idx=PAD)
        self.lstm = nn.LSTM(32, 48, batch_first=True)
        self.out = nn.Linear(48, TAGS)

    def forward(self, words):
        states, _ = self.lstm(self.embed(words))
        return self.out(states)


tagger = Tagger()
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.Adam(tagger.parameters(), lr=3e-3)
for epoch in range(6):
    tagger.train()
    epoch_loss = 0
    for words, tags in train:
        scores = tagger(words)
        loss = loss_fn(scores.reshape(-1, TAGS), tags.reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
        opt.step()
        epoch_loss += loss.item()
    tagger.eval()
    right = total = 0
    with torch.no_grad():
        for words, tags in test:
            real = tags != PAD
            right += (tagger(words).argmax(-1)[real] == tags[real]).sum().item()
            total += real.sum().item()
    print(f"epoch {epoch}: loss {epoch_loss / len(train):.3f}, token accuracy {right / total:.3f}")
