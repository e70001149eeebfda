"""An encoder and a decoder that pick three tokens out of a sequence.

fault: graph-cut
also: 
split: train
line: 80
"""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

VOCAB = 10
BOS = 10
FILLER = 10


def batch(n, length, g):
    tgt = torch.randint(0, VOCAB, (n, 3), generator=g)
    where = torch.rand(n, length, generator=g).argsort(1)[:, :3].sort(1).values
    src = torch.full((n, length), FILLER).scatter(1, where, tgt)
    inp = torch.cat([torch.full((n, 1), BOS), tgt[:, :-1]], 1)
    return src, inp, tgt


class Encoder(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.emb = nn.Embedding(VOCAB + 1, d)
        self.rnn = nn.GRU(d, d, batch_first=True)

    def forward(self, src):
        _, h = self.rnn(self.emb(src))
        return h


class Decoder(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.emb = nn.Embedding(VOCAB + 1, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(d, VOCAB)

    def forward(self, inp, h):
        o, h = self.rnn(self.emb(inp), h)
        return self.out(o), h


def greedy(enc, dec, src):
    h = enc(src)
    tok = torch.full((len(src), 1), BOS)
    outs = []
    for _ in range(3):
        logits, h = dec(tok, h)
        tok = logits.argmax(-1)
        outs.append(tok)
    return torch.cat(outs, 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=350)
    ap.add_argument("--dim", type=int, default=48)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--len", type=int, default=14)
    args = ap.parse_args()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    gv = torch.Generator().manual_seed(2)
    enc, dec = Encoder(args.dim), Decoder(args.dim)
    opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=args.lr)
    vsrc, _, vtgt = batch(400, args.len, gv)
    for step in range(1, args.steps + 1):
        src, inp, tgt = batch(128, args.len, g)
        state = enc(src)
        logits, _ = dec(inp, state.data)
        loss = F.cross_entropy(logits.reshape(-1, VOCAB), tgt.reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*enc.parameters(), *dec.parameters()], 1.0)
        opt.step()
        if step % 50 == 0:
            with torch.no_grad():
                hyp = greedy(enc, dec, vsrc)
            print(f"step {step} loss {loss.item():.3f} token acc {(hyp == vtgt).float().mean():.3f} exact {(hyp == vtgt).all(1).float().mean():.3f}")


if __name__ == "__main__":
    main()
