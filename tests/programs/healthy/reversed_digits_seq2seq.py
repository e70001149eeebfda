"""GRU encoder-decoder that learns to reverse digit strings, decoded greedily for the score.

split: train
"""
import torch
import torch.nn as nn

torch.manual_seed(0)
BOS, V, L = 10, 11, 5


def batch(n):
    src = torch.randint(0, 10, (n, L))
    return src, src.flip(1)


class Seq2Seq(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.emb = nn.Embedding(V, 24)
        self.enc = nn.GRU(24, d, batch_first=True)
        self.dec = nn.GRU(24, d, batch_first=True)
        self.out = nn.Linear(d, 10)

    def forward(self, src, dec_in):
        _, h = self.enc(self.emb(src))
        o, _ = self.dec(self.emb(dec_in), h)
        return self.out(o)

    @torch.no_grad()
    def greedy(self, src):
        _, h = self.enc(self.emb(src))
        tok = torch.full((len(src), 1), BOS)
        result = []
        for _ in range(L):
            o, h = self.dec(self.emb(tok), h)
            tok = self.out(o).argmax(-1)
            result.append(tok)
        return torch.cat(result, 1)


def train(model, steps=500):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(steps):
        src, tgt = batch(64)
        start = torch.full((len(tgt), 1), BOS)
        dec_in = torch.cat([start, tgt[:, :-1]], 1)
        logits = model(src, dec_in)
        loss = nn.functional.cross_entropy(logits.reshape(-1, 10), tgt.reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 100 == 99:
            src, tgt = batch(200)
            acc = (model.greedy(src) == tgt).float().mean().item()
            print(f"step {step + 1} loss {loss.item():.3f} greedy token accuracy {acc:.3f}")
    return acc


print("SCORE", train(Seq2Seq()))
