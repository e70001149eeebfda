"""A character-level language model on a synthetic nursery text (GRU, truncated BPTT with carried state).

split: test
"""

import math
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
random.seed(5)
torch.manual_seed(5)

animals = ["cat", "dog", "cow", "hen", "pig", "fox"]
verbs = ["sat on", "ran to", "saw", "ate near", "slept by"]
places = ["the mat", "the barn", "a tree", "the pond", "my house"]


def sentence():
    return f"the {random.choice(animals)} {random.choice(verbs)} {random.choice(places)}. "


train_text = "".join(sentence() for _ in range(1800))
valid_text = "".join(sentence() for _ in range(250))
chars = sorted(set(train_text))
stoi = {c: i for i, c in enumerate(chars)}
itos = {i: c for c, i in stoi.items()}
encode = lambda s: torch.tensor([stoi[c] for c in s])


def batchify(data, bsz):
    n = len(data) // bsz
    return data[: n * bsz].view(bsz, n)


class CharGRU(nn.Module):
    def __init__(self, vocab, emb=24, hid=96):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hid, batch_first=True)
        self.out = nn.Linear(hid, vocab)

    def forward(self, x, h=None):
        o, h = self.rnn(self.emb(x), h)
        return self.out(o), h


train_data = batchify(encode(train_text), 16)
valid_data = batchify(encode(valid_text), 4)
bptt = 32
model = CharGRU(len(chars))
opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
lossf = nn.CrossEntropyLoss()


def run(data, training):
    model.train(training)
    h, tot, n = None, 0.0, 0
    for i in range(0, data.size(1) - 1, bptt):
        L = min(bptt, data.size(1) - 1 - i)
        x, y = data[:, i:i + L], data[:, i + 1:i + 1 + L]
        if h is not None:
            h = h.detach()
        with torch.set_grad_enabled(training):
            logits, h = model(x, h)
            loss = lossf(logits.reshape(-1, len(chars)), y.reshape(-1))
        if training:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
        tot += loss.item() * y.numel()
        n += y.numel()
    return tot / n


for epoch in range(4):
    tr = run(train_data, True)
    va = run(valid_data, False)
    print(f"epoch {epoch} | train ppl {math.exp(tr):.3f} | valid ppl {math.exp(va):.3f}")

model.eval()
with torch.no_grad():
    x, h, s = torch.tensor([[stoi["t"]]]), None, "t"
    for _ in range(80):
        logits, h = model(x, h)
        x = torch.multinomial(torch.softmax(logits[:, -1] / 0.7, -1), 1)
        s += itos[x.item()]
print(s)
