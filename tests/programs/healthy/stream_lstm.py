"""Streams that never end, in pieces with a carried state.

split: train
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(66)

LANES, CHUNK, VOCAB = 24, 20, 8


class Stream:
    """Each lane repeats a hidden rule: next = (current + previous + lane-independent drift) mod VOCAB, 5 % noise."""

    def __init__(self, lanes):
        self.prev = torch.randint(0, VOCAB, (lanes,))
        self.cur = torch.randint(0, VOCAB, (lanes,))

    def take(self, n):
        out = [self.cur]
        for _ in range(n):
            nxt = (self.cur + self.prev + 1) % VOCAB
            noise = torch.rand(len(nxt)) < 0.05
            nxt = torch.where(noise, torch.randint(0, VOCAB, nxt.shape), nxt)
            self.prev, self.cur = self.cur, nxt
            out.append(nxt)
        seq = torch.stack(out, 1)
        return seq[:, :-1], seq[:, 1:]


class NextSymbol(nn.Module):
    def __init__(self, dim=16, hidden=64):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.rnn = nn.LSTM(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, VOCAB)

    def forward(self, x, state=None):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


def detach(state):
    return tuple(s.detach() for s in state)


model = NextSymbol()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
stream, held = Stream(LANES), Stream(100)
state, smooth = None, None
for step in range(1, 361):
    x, y = stream.take(CHUNK)
    logits, state = model(x, state)
    loss = nn.functional.cross_entropy(logits.transpose(1, 2), y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    state = detach(state)
    smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
    if step % 40 == 0:
        model.eval()
        with torch.no_grad():
            hx, hy = held.take(60)
            acc = (model(hx)[0].argmax(-1) == hy)[:, 2:].float().mean().item()
        model.train()
        print(f"step {step} loss {smooth:.4f} held-out accuracy {acc:.3f} (ceiling about 0.956)")
