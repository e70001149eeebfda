"""Words of sequences, pooled by attention.

fault: collapsed-attention
also: 
split: train
line: 43
"""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
SEED, VOCAB, PAD, MAXLEN = 8, 30, 0, 20
torch.manual_seed(SEED)


def batch(n):
    """Which of the marker symbols 1..4 occurs most often in the sentence?"""
    lens = torch.randint(5, MAXLEN + 1, (n,))
    x = torch.randint(5, VOCAB, (n, MAXLEN))
    y = torch.randint(0, 4, (n,))
    noise = torch.rand(n, MAXLEN)
    x = torch.where(noise < 0.25, (y + 1)[:, None].expand(-1, MAXLEN), x)
    other = torch.randint(1, 5, (n, MAXLEN))
    x = torch.where(noise > 0.93, other, x)
    x[torch.arange(n), (torch.rand(n) * lens).long()] = y + 1
    keep = torch.arange(MAXLEN)[None] < lens[:, None]
    return x * keep, keep, y


class Pool(nn.Module):
    """Additive-attention pooling."""

    def __init__(self, d):
        super().__init__()
        self.w = nn.Linear(d, d)
        self.v = nn.Linear(d, 1, bias=False)

    def forward(self, h, keep):
        s = self.v(torch.tanh(self.w(h))).squeeze(-1)
        s = s.masked_fill(keep, -1e9)
        a = F.softmax(s, dim=-1)
        return torch.einsum("bt,btd->bd", a, h), a


class Model(nn.Module):
    def __init__(self, d=40):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, d, padding_idx=PAD)
        self.mix = nn.Linear(d, d)
        self.pool = Pool(d)
        self.cls = nn.Linear(d, 4)

    def forward(self, x, keep):
        h = F.relu(self.mix(self.emb(x)))
        z, a = self.pool(h, keep)
        return self.cls(z), a


def train(model, steps=500):
    opt = torch.optim.NAdam(model.parameters(), lr=3e-3)
    avg = None
    for it in range(1, steps + 1):
        x, keep, y = batch(64)
        logits, _ = model(x, keep)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg = loss.item() if avg is None else 0.97 * avg + 0.03 * loss.item()
        if it % 100 == 0:
            print(f"iter {it:4d} loss {avg:.3f}")


@torch.no_grad()
def evaluate(model, n=2000):
    model.eval()
    x, keep, y = batch(n)
    logits, a = model(x, keep)
    return (logits.argmax(1) == y).float().mean().item(), -(a * (a + 1e-9).log()).sum(1).mean().item()


net = Model()
train(net)
acc, ent = evaluate(net)
print(f"accuracy {acc:.3f}, attention entropy {ent:.2f}")
