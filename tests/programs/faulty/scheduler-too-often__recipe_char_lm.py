"""Character-level GRU language model on generated kitchen instructions.

fault: scheduler-too-often
also:
split: test
line: 81
"""
import argparse
import math
import random

import torch
import torch.nn as nn

VERBS = ["chop", "boil", "fry", "peel", "rinse", "bake", "steam", "grate"]
FOODS = ["carrots", "potatoes", "onions", "leeks", "apples", "beans", "mushrooms", "peppers"]
TIMES = ["two", "five", "ten", "twenty"]
ENDS = ["serve warm", "let it cool", "add some salt", "keep aside"]


def make_text(n_lines, seed):
    rng = random.Random(seed)
    return "".join(
        f"{rng.choice(VERBS)} the {rng.choice(FOODS)} for {rng.choice(TIMES)} minutes and {rng.choice(ENDS)}.\n"
        for _ in range(n_lines))


class CharGRU(nn.Module):
    def __init__(self, vocab, emb=32, hidden=96):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


def chunks(ids, seq_len):
    n = (len(ids) - 1) // seq_len
    x = ids[:n * seq_len].view(n, seq_len)
    y = ids[1:n * seq_len + 1].view(n, seq_len)
    return x, y


def nll(model, x, y):
    logits = model(x)
    return nn.functional.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--batch", type=int, default=32)
    args = ap.parse_args()
    torch.manual_seed(7)

    train_text, valid_text = make_text(1600, 1), make_text(200, 2)
    chars = sorted(set(train_text))
    stoi = {c: i for i, c in enumerate(chars)}
    encode = lambda s: torch.tensor([stoi[c] for c in s])
    xtr, ytr = chunks(encode(train_text), 48)
    xva, yva = chunks(encode(valid_text), 48)

    model = CharGRU(len(chars))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.75)

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        order = torch.randperm(len(xtr)).split(args.batch)
        for idx in order:
            loss = nll(model, xtr[idx], ytr[idx])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
            scheduler.step()
        model.eval()
        with torch.no_grad():
            bpc = nll(model, xva, yva).item() / math.log(2)
        print(f"epoch {epoch} train nll {total / len(order):.4f} valid bpc {bpc:.4f}")
    print(f"final valid bpc {bpc:.4f}")
