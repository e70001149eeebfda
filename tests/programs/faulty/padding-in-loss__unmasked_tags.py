"""Tags of tokens in rows of different lengths.

fault: padding-in-loss
also: 
split: test
line: 105
"""

import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

TAGS = ["O", "NUM", "UNIT", "NAME", "TITLE"]


class SentenceDataset(Dataset):
    """Toy sentences: word ids 1..199; the tag of a word depends on the word and on the one before it."""

    def __init__(self, n, rng):
        self.items = [self.make(rng) for _ in range(n)]

    @staticmethod
    def make(rng):
        length = rng.randint(4, 9) if rng.random() < 0.93 else rng.randint(55, 65)
        words = [rng.randint(1, 199) for _ in range(length)]
        tags, prev = [], 0
        for w in words:
            if w < 80:
                tag = 0
            elif w < 120:
                tag = 1
            elif w < 160:
                tag = 2 if 80 <= prev < 120 else 3
            else:
                tag = 4 if prev >= 80 else 3
            tags.append(tag)
            prev = w
        return torch.tensor(words), torch.tensor(tags)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    words, tags = zip(*batch)
    lengths = torch.tensor([len(w) for w in words])
    words = pad_sequence(words, batch_first=True)
    tags = pad_sequence(tags, batch_first=True)
    mask = torch.arange(words.size(1))[None, :] < lengths[:, None]
    return words, tags, mask


class Tagger(nn.Module):
    def __init__(self, n_words=200, d_emb=32, d_hid=32):
        super().__init__()
        self.emb = nn.Embedding(n_words, d_emb, padding_idx=0)
        self.rnn = nn.GRU(d_emb, d_hid, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * d_hid, len(TAGS))

    def forward(self, words):
        h, _ = self.rnn(self.emb(words))
        return self.out(h)


def evaluate(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for words, tags, mask in loader:
            pred = model(words).argmax(-1)
            right += (pred[mask] == tags[mask]).sum().item()
            total += mask.sum().item()
    return right / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--lr", type=float, default=0.3)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    train = DataLoader(SentenceDataset(1200, rng), batch_size=args.batch_size, shuffle=True, collate_fn=collate)
    valid = DataLoader(SentenceDataset(300, rng), batch_size=100, collate_fn=collate)

    model = Tagger()
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(1, args.epochs + 1):
        model.train()
        losses = []
        for words, tags, mask in train:
            logits = model(words)
            loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            losses.append(loss.item())
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f} token acc {evaluate(model, valid):.4f}")


if __name__ == "__main__":
    main()
