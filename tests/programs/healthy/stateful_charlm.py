"""Character LSTM with truncated BPTT; contiguous streams, state carried over chunks.

split: train
"""

import random
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(40)

SUBJ = ["the cat", "a dog", "the old man", "my sister", "the red bird"]
VERB = ["sees", "likes", "follows", "paints", "hears"]
OBJ = ["the moon", "a small boat", "the garden", "an apple", "the long road"]


def text(n, seed):
    r = random.Random(seed)
    return " ".join(f"{r.choice(SUBJ)} {r.choice(VERB)} {r.choice(OBJ)}." for _ in range(n))


train_text, val_text = text(1500, 1), text(200, 2)
chars = sorted(set(train_text))
lookup = {c: i for i, c in enumerate(chars)}


def streams(s, rows):
    ids = torch.tensor([lookup[c] for c in s])
    width = (len(ids) - 1) // rows
    x = ids[:rows * width].view(rows, width)
    y = ids[1:rows * width + 1].view(rows, width)
    return x, y


class CharLM(nn.Module):
    def __init__(self, vocab, dim=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)
        nn.init.normal_(self.emb.weight, std=0.1)
        self.out.weight = self.emb.weight

    def forward(self, x, state=None):
        h, state = self.lstm(self.emb(x), state)
        return self.out(h), state


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        logits, _ = model(x)
        return F.cross_entropy(logits.flatten(0, 1), y.flatten()).item()


model = CharLM(len(chars))
opt = torch.optim.Adam(model.parameters(), lr=6e-3)
x, y = streams(train_text, rows=24)
xv, yv = streams(val_text, rows=4)
CHUNK = 25
for epoch in range(3):
    model.train()
    state, losses = None, []
    for start in range(0, x.size(1) - CHUNK + 1, CHUNK):
        xb, yb = x[:, start:start + CHUNK], y[:, start:start + CHUNK]
        if state is not None:
            state = tuple(s.detach() for s in state)
        logits, state = model(xb, state)
        loss = F.cross_entropy(logits.flatten(0, 1), yb.flatten())
        model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
        losses.append(loss.item())
    print(f"epoch {epoch + 1} train {sum(losses) / len(losses):.3f} val {evaluate(model, xv, yv):.3f} "
          f"(uniform {torch.tensor(float(len(chars))).log():.2f})")

model.eval()
ids, state = torch.tensor([[lookup["t"]]]), None
sample = "t"
with torch.no_grad():
    for _ in range(60):
        logits, state = model(ids, state)
        ids = torch.multinomial(F.softmax(logits[:, -1] / 0.7, -1), 1)
        sample += chars[ids.item()]
print(sample)
