"""LSTM over strings of different length, packed. Which of two made-up languages is a word from?

split: test
"""
import random
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

random.seed(0); torch.manual_seed(0)
SYL = [["ka", "to", "mi", "ru", "sen", "yo"], ["bro", "sch", "ten", "wal", "ke", "gri"]]


def word(lang):
    return "".join(random.choice(SYL[lang]) if random.random() < 0.8 else random.choice(SYL[1 - lang]) for _ in range(random.randint(2, 6)))


def dataset(n):
    rows = []
    for _ in range(n):
        lang = random.randint(0, 1)
        rows.append((torch.tensor([ord(c) - 96 for c in word(lang)]), lang))
    return rows


def collate(rows):
    xs, ys = zip(*rows)
    return pad_sequence(xs, batch_first=True), torch.tensor([len(x) for x in xs]), torch.tensor(ys)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(27, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 32, batch_first=True, bidirectional=True)
        self.o = nn.Linear(64, 2)

    def forward(self, x, n):
        p = pack_padded_sequence(self.e(x), n, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(p)
        return self.o(torch.cat([h[0], h[1]], 1))


train = torch.utils.data.DataLoader(dataset(1500), 32, shuffle=True, collate_fn=collate)
test = torch.utils.data.DataLoader(dataset(300), 100, collate_fn=collate)
net = Tagger()
opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
for ep in range(5):
    net.train()
    for x, n, y in train:
        loss = nn.functional.cross_entropy(net(x, n), y)
        opt.zero_grad(); loss.backward(); opt.step()
    net.eval()
    with torch.no_grad():
        acc = sum((net(x, n).argmax(1) == y).sum().item() for x, n, y in test) / 300
    print(ep, loss.item(), acc)
print("SCORE", acc)
