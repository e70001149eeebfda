"""Digits that are written backwards by a decoder.

fault: future-visible
also: 
split: train
line: 65
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(77)

PAD, SOS, EOS, FIRST, VOCAB = 0, 1, 2, 3, 13
MAX = 6


def sample(n):
    """Source: digits; target: the digits in reverse order followed by <eos>."""
    length = torch.randint(3, MAX + 1, (n,))
    src = torch.full((n, MAX), PAD)
    tgt = torch.full((n, MAX + 1), PAD)
    for i, l in enumerate(length.tolist()):
        d = torch.randint(FIRST, VOCAB, (l,))
        src[i, :l] = d
        tgt[i, :l] = d.flip(0)
        tgt[i, l] = EOS
    return src, tgt


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.gru = nn.GRU(dim, dim, batch_first=True)

    def forward(self, src):
        return self.gru(self.emb(src))


class Decoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.query = nn.Linear(dim, dim)
        self.out = nn.Linear(2 * dim, VOCAB)

    def forward(self, inp, memory, state, src_pad):
        h, state = self.gru(self.emb(inp), state)
        score = self.query(h) @ memory.transpose(1, 2)
        score = score.masked_fill(src_pad.unsqueeze(1), -1e9)
        ctx = score.softmax(-1) @ memory
        return self.out(torch.cat([h, ctx], -1)), state


class Seq2Seq(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.enc, self.dec = Encoder(dim), Decoder(dim)

    def forward(self, src, tgt):
        memory, state = self.enc(src)
        dec_in = tgt
        logits, _ = self.dec(dec_in, memory, state, src == PAD)
        return logits

    @torch.no_grad()
    def greedy(self, src):
        memory, state = self.enc(src)
        token, result = torch.full((len(src), 1), SOS), []
        for _ in range(MAX + 1):
            logits, state = self.dec(token, memory, state, src == PAD)
            token = logits.argmax(-1)
            result.append(token)
        return torch.cat(result, 1)


model = Seq2Seq()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
loss_fn = nn.CrossEntropyLoss(ignore_index=PAD)
src_val, tgt_val = sample(200)

for step in range(1, 241):
    src, tgt = sample(64)
    logits = model(src, tgt)
    loss = loss_fn(logits.flatten(0, 1), tgt.flatten())
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    if step % 40 == 0:
        model.eval()
        pred = model.greedy(src_val)
        real = tgt_val != PAD
        tok = ((pred == tgt_val) & real).sum() / real.sum()
        full = ((pred == tgt_val) | ~real).all(1).float().mean()
        model.train()
        print(f"step {step} loss {loss.item():.4f} decoded tokens {tok:.3f} sequences {full:.3f}")
