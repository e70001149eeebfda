"""A GRU over the characters of made-up stories, sampled from at the end.

fault: metric-not-following
also:
split: train
line: 78
"""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

WORDS = ("the cat sat on a mat while seven small dogs ran over the hill and the old man "
         "who lived by the river told a story about a king and his three daughters").split()


def make_corpus(n_words, gen):
    ids = torch.randint(len(WORDS), (n_words,), generator=gen)
    return " ".join(WORDS[i] for i in ids)


class Corpus:
    def __init__(self, text):
        self.itos = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}
        self.data = torch.tensor([self.stoi[c] for c in text])

    def batch(self, bsz, seq_len):
        starts = torch.randint(0, len(self.data) - seq_len - 1, (bsz,))
        x = torch.stack([self.data[s:s + seq_len] for s in starts])
        y = torch.stack([self.data[s:s + seq_len] for s in starts])
        return x, y


class CharGRU(nn.Module):
    def __init__(self, vocab, emb=32, hidden=96):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        o, h = self.rnn(self.emb(x), h)
        return self.out(o), h


@torch.no_grad()
def sample(model, corpus, prompt="the ", n=60):
    model.eval()
    x = torch.tensor([[corpus.stoi[c] for c in prompt]])
    logits, h = model(x)
    out = prompt
    for _ in range(n):
        p = F.softmax(logits[:, -1], dim=-1)
        nxt = torch.multinomial(p, 1)
        out += corpus.itos[nxt.item()]
        logits, h = model(nxt, h)
    model.train()
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=300)
    ap.add_argument("--bsz", type=int, default=32)
    ap.add_argument("--seq-len", type=int, default=32)
    ap.add_argument("--lr", type=float, default=4e-3)
    args = ap.parse_args()
    torch.manual_seed(0)
    corpus = Corpus(make_corpus(4000, torch.Generator().manual_seed(5)))
    model = CharGRU(len(corpus.itos))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for step in range(args.steps):
        x, y = corpus.batch(args.bsz, args.seq_len)
        logits, _ = model(x)
        loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 50 == 0 or step == args.steps - 1:
            print(f"step {step} loss {loss.item():.3f} ppl {loss.exp().item():.2f}")
    print(sample(model, corpus))


if __name__ == "__main__":
    main()
