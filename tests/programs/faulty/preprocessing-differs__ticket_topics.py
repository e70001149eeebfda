"""Topics of tickets.

fault: preprocessing-differs
also: 
split: train
line: 65
"""

import random
import string
from collections import Counter

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

TOPICS = {
    "billing": "Invoice Refund Charge Payment Card Receipt Price Account Tax Discount".split(),
    "shipping": "Parcel Courier Delivery Address Tracking Box Late Warehouse Customs Label".split(),
    "technical": "Crash Login Update Error Screen Password Button Browser Server Install".split(),
}
FILLER = "Please I The My Is Was With And It Not Again Today Since Help Thanks Still Can You Have This".split()
NAMES = list(TOPICS)


def write_ticket(rng):
    label = rng.randrange(3)
    words = []
    for _ in range(rng.randint(8, 16)):
        roll = rng.random()
        if roll < 0.22:
            words.append(rng.choice(TOPICS[NAMES[label]]))
        elif roll < 0.30:
            words.append(rng.choice(TOPICS[rng.choice(NAMES)]))
        else:
            words.append(rng.choice(FILLER))
    words = [w if rng.random() < 0.6 else w.lower() for w in words]
    words = [w + rng.choice(",.!?") if rng.random() < 0.45 else w for w in words]
    return " ".join(words), label


def clean(text):
    return text.lower().translate(str.maketrans("", "", string.punctuation)).split()


def build_vocab(tickets, min_count=2):
    counts = Counter(tok for text, _ in tickets for tok in clean(text))
    return {tok: i + 1 for i, tok in enumerate(sorted(t for t, c in counts.items() if c >= min_count))}


class TicketDataset(Dataset):
    def __init__(self, tickets, vocab, augment=False):
        self.vocab, self.augment, self.tickets = vocab, augment, tickets

    def __len__(self):
        return len(self.tickets)

    def __getitem__(self, i):
        text, label = self.tickets[i]
        if self.augment:
            tokens = [t for t in clean(text) if random.random() > 0.05] or ["help"]
        else:
            tokens = text.split()
        return torch.tensor([self.vocab.get(t, 0) for t in tokens]), label


def collate(items):
    ids, labels = zip(*items)
    offsets = torch.tensor([0] + [len(t) for t in ids[:-1]]).cumsum(0)
    return torch.cat(ids), offsets, torch.tensor(labels)


class TopicModel(nn.Module):
    def __init__(self, n_tokens, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_tokens, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, ids, offsets):
        return self.mlp(self.bag(ids, offsets))


def main():
    torch.manual_seed(55)
    random.seed(55)
    tickets = [write_ticket(random) for _ in range(2000)]
    train, valid = tickets[:1600], tickets[1600:]
    vocab = build_vocab(train)
    train_dl = DataLoader(TicketDataset(train, vocab, augment=True), 32, shuffle=True, collate_fn=collate)
    valid_dl = DataLoader(TicketDataset(valid, vocab), 200, collate_fn=collate)
    model = TopicModel(len(vocab) + 1)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
    ce = nn.CrossEntropyLoss()
    for epoch in range(1, 7):
        model.train()
        seen, right, total = 0, 0, 0.0
        for ids, offsets, y in train_dl:
            out = model(ids, offsets)
            loss = ce(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            seen += len(y)
        model.eval()
        with torch.no_grad():
            hits = sum((model(i, o).argmax(1) == y).sum().item() for i, o, y in valid_dl)
        print(f"epoch {epoch} loss {total / seen:.4f} train acc {right / seen:.3f} valid acc {hits / len(valid):.3f}")


if __name__ == "__main__":
    main()
