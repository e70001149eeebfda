"""Encoder-decoder GRU that reverses strings of digits; teacher forcing in training, greedy decoding at test.

split: test
"""

import random

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

PAD, SOS, EOS = 0, 1, 2
VOCAB = 13
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def make_pair():
    n = random.randint(3, 6)
    s = [random.randint(3, VOCAB - 1) for _ in range(n)]
    return torch.tensor(s), torch.tensor([SOS] + s[::-1] + [EOS])


def batch(n):
    src, tgt = zip(*[make_pair() for _ in range(n)])
    lens = torch.tensor([len(s) for s in src])
    return pad_sequence(src, True, PAD).to(device), lens, pad_sequence(tgt, True, PAD).to(device)


class Seq2Seq(nn.Module):
    def __init__(self, emb=32, hid=96):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, emb, padding_idx=PAD)
        self.encoder = nn.GRU(emb, hid, batch_first=True)
        self.decoder = nn.GRU(emb, hid, batch_first=True)
        self.out = nn.Linear(hid, VOCAB)

    def encode(self, src, lens):
        packed = pack_padded_sequence(self.emb(src), lens, batch_first=True, enforce_sorted=False)
        return self.encoder(packed)[1]

    def forward(self, src, lens, tgt_in):
        h = self.encode(src, lens)
        y, _ = self.decoder(self.emb(tgt_in), h)
        return self.out(y)

    @torch.no_grad()
    def greedy(self, src, lens, max_len=10):
        h = self.encode(src, lens)
        tok = torch.full((len(src), 1), SOS, device=device)
        outs = []
        for _ in range(max_len):
            y, h = self.decoder(self.emb(tok), h)
            tok = self.out(y).argmax(-1)
            outs.append(tok)
        return torch.cat(outs, 1)


def exact_match(model, n=200):
    model.eval()
    src, lens, tgt = batch(n)
    pred = model.greedy(src, lens)
    ok = 0
    for p, t in zip(pred.tolist(), tgt.tolist()):
        p = p[: p.index(EOS)] if EOS in p else p
        t = t[1: t.index(EOS)]
        ok += p == t
    return ok / n


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    model = Seq2Seq().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / 50) * max(0.05, 1 - s / 500))
    crit = nn.CrossEntropyLoss(ignore_index=PAD)
    for step in range(1, 501):
        model.train()
        src, lens, tgt = batch(64)
        logits = model(src, lens, tgt[:, :-1])
        loss = crit(logits.flatten(0, 1), tgt[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.4f}, exact match {exact_match(model):.3f}")


main()
