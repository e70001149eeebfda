"""Sequences that are turned around by encoder and decoder.

split: test
"""

import argparse

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence

PAD, BOS, EOS = 0, 1, 2


def batch_of(n, vocab, gen, lo=3, hi=6):
    """Source: digits; target: the same digits sorted, closed by EOS."""
    lengths = torch.randint(lo, hi + 1, (n,), generator=gen)
    src = torch.zeros(n, hi, dtype=torch.long)
    tgt = torch.zeros(n, hi + 1, dtype=torch.long)
    for i, k in enumerate(lengths.tolist()):
        s = torch.randint(3, vocab, (k,), generator=gen)
        src[i, :k] = s
        tgt[i, :k] = s.sort().values
        tgt[i, k] = EOS
    return src, lengths, tgt


class Seq2Seq(nn.Module):
    def __init__(self, vocab, d=48, h=96):
        super().__init__()
        self.src_emb = nn.Embedding(vocab, d, padding_idx=PAD)
        self.tgt_emb = nn.Embedding(vocab, d, padding_idx=PAD)
        self.encoder = nn.GRU(d, h, batch_first=True)
        self.decoder = nn.GRU(d, h, batch_first=True)
        self.out = nn.Linear(h, vocab)

    def encode(self, src, lengths):
        packed = pack_padded_sequence(self.src_emb(src), lengths, batch_first=True, enforce_sorted=False)
        return self.encoder(packed)[1]

    def forward(self, src, lengths, tgt):
        h = self.encode(src, lengths)
        start = torch.full((len(src), 1), BOS)
        y, _ = self.decoder(self.tgt_emb(torch.cat([start, tgt[:, :-1]], 1)), h)
        return self.out(y)

    @torch.no_grad()
    def generate(self, src, lengths, steps):
        h = self.encode(src, lengths)
        tok = torch.full((len(src), 1), BOS)
        done = torch.zeros(len(src), dtype=torch.bool)
        result = []
        for _ in range(steps):
            y, h = self.decoder(self.tgt_emb(tok), h)
            tok = self.out(y).argmax(-1)
            tok = tok.masked_fill(done[:, None], PAD)
            done |= tok[:, 0] == EOS
            result.append(tok)
        return torch.cat(result, 1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=320)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--vocab", type=int, default=13)
    a = p.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    held_out = batch_of(300, a.vocab, torch.Generator().manual_seed(12345))
    model = Seq2Seq(a.vocab)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=a.lr, total_steps=a.steps)
    ce = nn.CrossEntropyLoss(ignore_index=PAD)
    for step in range(1, a.steps + 1):
        model.train()
        src, lengths, tgt = batch_of(a.batch, a.vocab, gen)
        loss = ce(model(src, lengths, tgt).transpose(1, 2), tgt)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 80 == 0:
            model.eval()
            src, lengths, tgt = held_out
            got = model.generate(src, lengths, tgt.size(1))
            real = tgt != PAD
            print(f"step {step} loss {loss.item():.4f} token acc {(got == tgt)[real].float().mean():.3f} "
                  f"exact {(got == tgt).all(1).float().mean():.3f}")


if __name__ == "__main__":
    main()
