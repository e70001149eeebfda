"""Guess the made-up language of a word with packed variable-length LSTM input.

split: test
"""
import random
import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence

random.seed(9)
torch.manual_seed(9)
torch.set_num_threads(1)
SYL = {0: ["ka", "to", "mi", "ru", "shi"], 1: ["ov", "ski", "ra", "gri", "mi"], 2: ["el", "lo", "ra", "que", "to"]}
chars = sorted(set("".join(sum(SYL.values(), []))))
ix = {c: i for i, c in enumerate(chars)}


def word():
    k = random.randrange(3)
    w = "".join(random.choice(SYL[k]) for _ in range(random.randint(1, 4)))
    return torch.tensor([ix[c] for c in w]), k


class Guess(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(len(chars), 16)
        self.rnn = nn.LSTM(16, 32)
        self.o = nn.Linear(32, 3)

    def forward(self, words):
        packed = pack_sequence(words, enforce_sorted=False)
        packed = packed._replace(data=self.e(packed.data))
        _, (h, _) = self.rnn(packed)
        return self.o(h[-1])


train, test = [word() for _ in range(1500)], [word() for _ in range(300)]
m = Guess()
opt = torch.optim.Adam(m.parameters(), lr=5e-3)
for ep in range(6):
    random.shuffle(train)
    for s in range(0, len(train), 50):
        w, k = zip(*train[s:s + 50])
        loss = nn.functional.cross_entropy(m(w), torch.tensor(k))
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        w, k = zip(*test)
        acc = (m(w).argmax(1) == torch.tensor(k)).float().mean()
    print("epoch", ep, "loss", round(loss.item(), 4), "accuracy", round(acc.item(), 4))
