"""Intents of token sequences of many lengths.

fault: collapsed-attention
also:
split: test
line: 52
"""

import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

PAD, CLS, FIRST = 0, 1, 2
N_INTENT, KEYWORDS, FILLER = 5, 4, 40
MAX_LEN = 14


def make_corpus(n, seed):
    rnd = random.Random(seed)
    corpus = []
    for _ in range(n):
        intent = rnd.randrange(N_INTENT)
        length = rnd.randint(4, MAX_LEN - 2)
        toks = [FIRST + N_INTENT * KEYWORDS + rnd.randrange(FILLER) for _ in range(length)]
        for p in rnd.sample(range(length), 2):
            toks[p] = FIRST + intent * KEYWORDS + rnd.randrange(KEYWORDS)
        corpus.append((toks, intent))
    return corpus


def collate(batch):
    ids = torch.full((len(batch), MAX_LEN), PAD)
    for r, (toks, _) in enumerate(batch):
        row = [CLS] + toks
        ids[r, :len(row)] = torch.tensor(row)
    return ids, torch.tensor([b[1] for b in batch])


class IntentModel(nn.Module):
    def __init__(self, vocab, dim=32, heads=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.pos = nn.Embedding(MAX_LEN, dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, dim))
        self.out = nn.Linear(dim, N_INTENT)

    def forward(self, ids):
        mask = ids != PAD
        h = self.embed(ids) + self.pos(torch.arange(ids.size(1)))
        a, _ = self.attn(h, h, h, key_padding_mask=mask, need_weights=False)
        h = self.norm1(h + a)
        h = self.norm2(h + self.ff(h))
        return self.out(h[:, 0])


def main():
    torch.manual_seed(77)
    random.seed(77)
    train_dl = DataLoader(make_corpus(2000, 1), batch_size=40, shuffle=True, collate_fn=collate)
    dev_dl = DataLoader(make_corpus(400, 2), batch_size=100, collate_fn=collate)
    model = IntentModel(FIRST + N_INTENT * KEYWORDS + FILLER)
    optim = torch.optim.AdamW(model.parameters(), lr=2e-3)
    lossf = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(8):
        model.train()
        acc_loss = 0.0
        for ids, y in train_dl:
            optim.zero_grad()
            loss = lossf(model(ids), y)
            loss.backward()
            optim.step()
            acc_loss += loss.item()
        model.eval()
        with torch.no_grad():
            ok = sum((model(i).argmax(1) == y).sum().item() for i, y in dev_dl)
        print(f"epoch {epoch + 1} | loss {acc_loss / len(train_dl):.4f} | dev accuracy {ok / 400:.3f}")


if __name__ == "__main__":
    main()
