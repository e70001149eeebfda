"""A recurrent network names the motif in a sequence.

split: train
"""

import argparse
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

VOCAB = 20


class MotifDataset(Dataset):
    """Random symbol strings; one of 40 three-symbol motifs is planted in each."""

    def __init__(self, n, length, motifs, seed):
        rng = random.Random(seed)
        self.items = []
        for _ in range(n):
            s = [rng.randrange(4, VOCAB) for _ in range(length)]
            label = rng.randrange(len(motifs))
            pos = rng.randrange(length - 3)
            s[pos:pos + 3] = motifs[label]
            self.items.append((torch.tensor(s), label))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class GRUClassifier(nn.Module):
    def __init__(self, n_classes, emb=24, hidden=64):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_classes)

    def forward(self, x):
        states, _ = self.gru(self.embed(x))
        pooled = states.max(dim=1).values
        return self.out(pooled)


def run_eval(model, loader, criterion):
    model.eval()
    hits = n = 0
    loss_sum = 0.0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss_sum += criterion(out, y).item() * len(y)
            hits += (out.argmax(dim=-1) == y).sum().item()
            n += len(y)
    return loss_sum / n, hits / n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    motifs = []
    while len(motifs) < 40:
        m = [rng.randrange(0, 4) for _ in range(3)]
        if m not in motifs:
            motifs.append(m)

    train = DataLoader(MotifDataset(3000, 16, motifs, 10), batch_size=args.batch_size, shuffle=True)
    test = DataLoader(MotifDataset(600, 16, motifs, 11), batch_size=256)

    model = GRUClassifier(len(motifs))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)

    for epoch in range(1, args.epochs + 1):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        test_loss, test_acc = run_eval(model, test, criterion)
        print(f"Epoch {epoch}: train loss (last) {loss.item():.4f} | test loss {test_loss:.4f} | test acc {test_acc:.3f}")

    print("done, test accuracy %.3f" % test_acc)


if __name__ == "__main__":
    main()
