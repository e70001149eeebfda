"""A language model with tied weights.

split: test
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(90)

V, E, BPTT, B = 20, 48, 16, 16

trans = torch.softmax(3.0 * torch.randn(V, V), dim=1)
entropy = -(trans * trans.log()).sum(1).mean().item()


def sample(n):
    out, s = [], 0
    u = torch.multinomial(trans, n, replacement=True)
    ptr = 0
    for _ in range(n):
        s = u[s, ptr].item()
        ptr += 1
        out.append(s)
    return torch.tensor(out)


def batchify(d):
    n = len(d) // B
    return d[:n * B].view(B, n).t().contiguous()


class TiedGRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, E)
        nn.init.normal_(self.emb.weight, std=0.3)
        self.rnn = nn.GRU(E, E)
        self.dec = nn.Linear(E, V)
        self.dec.weight = self.emb.weight

    def forward(self, x, h):
        o, h = self.rnn(self.emb(x), h)
        return self.dec(o), h


train, valid = batchify(sample(16000)), batchify(sample(3200))
model = TiedGRU()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)


def run(data, training):
    model.train(training)
    h, total, count = torch.zeros(1, B, E), 0.0, 0
    for i in range(0, len(data) - 1, BPTT):
        n = min(BPTT, len(data) - 1 - i)
        x, y = data[i:i + n], data[i + 1:i + 1 + n]
        h = h.detach()
        with torch.set_grad_enabled(training):
            out, h = model(x, h)
            loss = F.cross_entropy(out.reshape(-1, V), y.reshape(-1))
        if training:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        total += loss.item() * n
        count += n
    return total / count


print(f"uniform {math.log(V):.3f}  mean row entropy {entropy:.3f}")
for epoch in range(7):
    tl = run(train, True)
    vl = run(valid, False)
    print(f"epoch {epoch + 1} train {tl:.3f} valid {vl:.3f} ppl {math.exp(vl):.2f}")
