"""A cell that reads symbols and names the first of them.

fault: graph-cut
also: hidden-state-lost
split: train
line: 30, 29
"""

import argparse
import torch
from torch import nn
import torch.nn.functional as F


class RecallNet(nn.Module):
    """Reads a sequence of symbols and names the first one at the end."""

    def __init__(self, n_symbols, hidden):
        super().__init__()
        self.hidden = hidden
        self.emb = nn.Embedding(n_symbols, 16)
        self.cell = nn.GRUCell(16, hidden)
        self.out = nn.Linear(hidden, n_symbols)

    def forward(self, tokens):
        h = torch.zeros(tokens.size(0), self.hidden)
        e = self.emb(tokens)
        for t in range(tokens.size(1)):
            h = self.cell(e[:, t], h)
            h = h.detach() if t < tokens.size(1) - 1 else h
        return self.out(h)


def make_data(n, length, n_symbols, gen):
    x = torch.randint(0, n_symbols, (n, length), generator=gen)
    return x, x[:, 0].clone()


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        logits = model(x)
        return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--length", type=int, default=12)
    ap.add_argument("--symbols", type=int, default=8)
    ap.add_argument("--hidden", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()

    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    xtr, ytr = make_data(4000, args.length, args.symbols, gen)
    xva, yva = make_data(800, args.length, args.symbols, gen)

    model = RecallNet(args.symbols, args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        order = torch.randperm(len(xtr))
        running = 0.0
        for i in range(0, len(order), 64):
            idx = order[i:i + 64]
            opt.zero_grad()
            loss = F.cross_entropy(model(xtr[idx]), ytr[idx])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            running += loss.item() * len(idx)
        vl, va = evaluate(model, xva, yva)
        print(f"epoch {epoch:2d} train {running / len(xtr):.3f} val {vl:.3f} acc {va:.3f}")
    print(f"final accuracy {va:.3f}")


if __name__ == "__main__":
    main()
