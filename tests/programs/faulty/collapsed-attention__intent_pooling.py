"""Intents of short utterances, with pooling by attention.

fault: collapsed-attention
also: 
split: train
line: 43
"""

import random
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

torch.set_num_threads(1)

PAD, MAXLEN, N_INTENT = 0, 18, 5


def make_utterance(rng):
    intent = rng.randrange(N_INTENT)
    keys = [1 + intent * 4 + rng.randrange(4) for _ in range(2)]
    noise = [21 + rng.randrange(80) for _ in range(rng.randint(3, 13))]
    toks = keys + noise
    rng.shuffle(toks)
    return toks, intent


def collate(items):
    ids = torch.full((len(items), MAXLEN), PAD)
    for r, (toks, _) in enumerate(items):
        ids[r, :len(toks)] = torch.tensor(toks)
    return ids, torch.tensor([i for _, i in items])


class AttentivePooling(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 1))

    def forward(self, h, is_pad):
        s = self.score(h).squeeze(-1)
        s = s.masked_fill(~is_pad, -1e9)
        return (F.softmax(s, dim=1).unsqueeze(-1) * h).sum(1)


class IntentModel(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(101, dim, padding_idx=PAD)
        self.mix = nn.Linear(dim, dim)
        self.pool = AttentivePooling(dim)
        self.out = nn.Linear(dim, N_INTENT)

    def forward(self, ids):
        h = F.gelu(self.mix(self.emb(ids)))
        return self.out(self.pool(h, ids == PAD))


def main():
    rng = random.Random(77)
    torch.manual_seed(77)
    train = DataLoader([make_utterance(rng) for _ in range(1600)], batch_size=64, shuffle=True, collate_fn=collate)
    test = DataLoader([make_utterance(rng) for _ in range(400)], batch_size=200, collate_fn=collate)
    model = IntentModel()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(8):
        model.train()
        tot = 0.0
        for ids, lab in train:
            loss = F.cross_entropy(model(ids), lab)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() / len(train)
        model.eval()
        with torch.no_grad():
            acc = sum((model(i).argmax(1) == l).sum().item() for i, l in test) / 400
        print(f"epoch {epoch + 1} loss {tot:.4f} intent acc {acc:.3f}")


if __name__ == "__main__":
    main()
