"""BiLSTM tagger on a toy grammar, padded batches, masked token accuracy, early stopping.

split: test
"""

import copy
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

random.seed(30)
torch.manual_seed(30)
torch.set_num_threads(1)

LEX = {
    "DET": ["the", "a", "every", "some"],
    "ADJ": ["red", "old", "quick", "lazy", "tiny"],
    "NOUN": ["fox", "dog", "run", "walk", "tree", "play"],
    "VERB": ["sees", "run", "likes", "walk", "play", "finds"],
    "ADV": ["often", "now", "quickly"],
}
TAGS = ["<pad>"] + list(LEX)
words = sorted({w for ws in LEX.values() for w in ws})
w2i = {w: i + 1 for i, w in enumerate(words)}


def noun_phrase():
    return ["DET"] + ["ADJ"] * random.choice([0, 0, 1, 2]) + ["NOUN"]


def sentence():
    tags = noun_phrase() + ["ADV"] * random.choice([0, 1]) + ["VERB"] + noun_phrase() + ["ADV"] * random.choice([0, 1])
    return (torch.tensor([w2i[random.choice(LEX[t])] for t in tags]), torch.tensor([TAGS.index(t) for t in tags]))


def collate(items):
    lens = torch.tensor([len(x) for x, _ in items])
    return pad_sequence([x for x, _ in items], True), pad_sequence([y for _, y in items], True), lens


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(len(words) + 1, 16, padding_idx=0)
        self.drop = nn.Dropout(0.25)
        self.lstm = nn.LSTM(16, 24, batch_first=True, bidirectional=True)
        self.out = nn.Linear(48, len(TAGS))

    def forward(self, x, lens):
        e = pack_padded_sequence(self.drop(self.emb(x)), lens, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(e)[0], batch_first=True, total_length=x.size(1))
        return self.out(self.drop(h))


def evaluate(model, loader, lossf):
    model.eval()
    loss, hit, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y, lens in loader:
            out = model(x, lens)
            mask = y != 0
            loss += lossf(out[mask], y[mask]).item() * mask.sum().item()
            hit += (out.argmax(-1) == y)[mask].sum().item()
            n += mask.sum().item()
    return loss / n, hit / n


train = DataLoader([sentence() for _ in range(1200)], 32, shuffle=True, collate_fn=collate)
dev = DataLoader([sentence() for _ in range(200)], 100, collate_fn=collate)
test = DataLoader([sentence() for _ in range(300)], 100, collate_fn=collate)
model = Tagger()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
lossf = nn.CrossEntropyLoss(ignore_index=0)
best, best_state, bad = float("inf"), None, 0
for epoch in range(20):
    model.train()
    for x, y, lens in train:
        opt.zero_grad()
        loss = lossf(model(x, lens).flatten(0, 1), y.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
    dl, da = evaluate(model, dev, lossf)
    print(f"epoch {epoch} loss {loss.item():.4f} dev loss {dl:.4f} dev acc {da:.4f}")
    if dl < best - 1e-3:
        best, best_state, bad = dl, copy.deepcopy(model.state_dict()), 0
    else:
        bad += 1
        if bad == 2:
            print("early stopping")
            break
model.load_state_dict(best_state)
print("test token accuracy: %.4f" % evaluate(model, test, lossf)[1])
