"""An encoder and a decoder of token sequences.

split: test
"""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(3)

VOCAB = 6
BOS = VOCAB
LEN = 8
HID = 96


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 24)
        self.rnn = nn.GRU(24, HID, batch_first=True)

    def forward(self, src):
        _, h = self.rnn(self.emb(src))
        return h


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB + 1, 24)
        self.rnn = nn.GRU(24, HID, batch_first=True)
        self.proj = nn.Linear(HID, VOCAB)

    def forward(self, tokens, h):
        out, h = self.rnn(self.emb(tokens), h)
        return self.proj(out), h


def repackage(h):
    """Wrap hidden state for the next network."""
    if isinstance(h, torch.Tensor):
        return h
    return tuple(repackage(v) for v in h)


def sample(n):
    src = torch.randint(0, VOCAB, (n, LEN))
    return src, src.flip(1)


enc, dec = Encoder(), Decoder()
params = list(enc.parameters()) + list(dec.parameters())
opt = torch.optim.Adam(params, lr=3e-3)


def train_step(n=64):
    src, tgt = sample(n)
    bos = torch.full((n, 1), BOS)
    dec_in = torch.cat([bos, tgt[:, :-1]], 1)
    h = repackage(enc(src))
    logits, _ = dec(dec_in, h)
    loss = F.cross_entropy(logits.reshape(-1, VOCAB), tgt.reshape(-1))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    return loss.item()


@torch.no_grad()
def greedy_accuracy(n=500):
    enc.eval(), dec.eval()
    src, tgt = sample(n)
    h = enc(src)
    tok = torch.full((n, 1), BOS)
    preds = []
    for _ in range(LEN):
        logits, h = dec(tok, h)
        tok = logits.argmax(-1)
        preds.append(tok)
    enc.train(), dec.train()
    preds = torch.cat(preds, 1)
    return (preds == tgt).float().mean().item(), (preds == tgt).all(1).float().mean().item()


avg = None
for step in range(1, 901):
    l = train_step()
    avg = l if avg is None else 0.98 * avg + 0.02 * l
    if step % 100 == 0:
        tok_acc, seq_acc = greedy_accuracy()
        print(f"step {step:5d} loss {avg:.3f} token acc {tok_acc:.3f} sequence acc {seq_acc:.3f}")
