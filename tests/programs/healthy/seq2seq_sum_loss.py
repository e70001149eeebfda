"""A sequence to sequence model with a loss summed over tokens.

split: test
"""

import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
PAD, BOS, EOS, BASE = 0, 1, 2, 3
SYMBOLS = 8


def make_batch(n, rng):
    """Reverse sequences of 3..6 symbols."""
    src = torch.full((n, 6), PAD)
    tgt = torch.full((n, 8), PAD)
    for i in range(n):
        k = int(torch.randint(3, 7, (1,), generator=rng))
        s = BASE + torch.randint(0, SYMBOLS, (k,), generator=rng)
        src[i, :k] = s
        tgt[i, 0] = BOS
        tgt[i, 1:k + 1] = s.flip(0)
        tgt[i, k + 1] = EOS
    return src, tgt


class Seq2Seq(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.emb = nn.Embedding(BASE + SYMBOLS, d, padding_idx=PAD)
        self.enc = nn.GRU(d, d // 2, batch_first=True, bidirectional=True)
        self.dec = nn.GRU(d, d, batch_first=True)
        self.query = nn.Linear(d, d)
        self.out = nn.Linear(2 * d, BASE + SYMBOLS)

    def encode(self, src):
        lengths = (src != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        h, last = self.enc(packed)
        h, _ = nn.utils.rnn.pad_packed_sequence(h, batch_first=True, total_length=src.size(1))
        return h, last.transpose(0, 1).reshape(1, src.size(0), -1)

    def decode(self, tokens, memory, state, src):
        y, state = self.dec(self.emb(tokens), state)
        scores = self.query(y) @ memory.transpose(1, 2) / memory.size(-1) ** 0.5
        scores = scores.masked_fill((src == PAD).unsqueeze(1), float("-inf"))
        ctx = scores.softmax(-1) @ memory
        return self.out(torch.cat([y, ctx], -1)), state

    def forward(self, src, tgt_in):
        memory, state = self.encode(src)
        return self.decode(tgt_in, memory, state, src)[0]

    @torch.no_grad()
    def translate(self, src, steps=7):
        memory, state = self.encode(src)
        tok, out = torch.full((len(src), 1), BOS), []
        for _ in range(steps):
            logits, state = self.decode(tok, memory, state, src)
            tok = logits.argmax(-1)
            out.append(tok)
        return torch.cat(out, 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=6e-3)
    args = ap.parse_args()
    torch.manual_seed(33)
    rng = torch.Generator().manual_seed(0)
    src, tgt = make_batch(2000, rng)
    val_src, val_tgt = make_batch(300, rng)
    model = Seq2Seq()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=args.epochs)
    for epoch in range(args.epochs):
        model.train()
        total = tokens = 0
        for b in torch.randperm(len(src)).split(64):
            logits = model(src[b], tgt[b, :-1])
            gold = tgt[b, 1:]
            n_tok = (gold != PAD).sum()
            loss = F.cross_entropy(logits.transpose(1, 2), gold, ignore_index=PAD, reduction="sum") / n_tok
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * n_tok.item()
            tokens += n_tok.item()
        sched.step()
        model.eval()
        pred, gold = model.translate(val_src), val_tgt[:, 1:]
        exact = ((pred == gold) | (gold == PAD)).all(1).float().mean().item()
        print(f"epoch {epoch + 1:2d} nll/token {total / tokens:.4f} exact match {exact:.3f}")


if __name__ == "__main__":
    main()
