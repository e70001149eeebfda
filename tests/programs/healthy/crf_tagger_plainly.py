"""Linear-chain CRF by hand on top of a BiLSTM; segments with BIO tags.

split: test
"""

import torch
from torch import nn

torch.manual_seed(36)
TAGS, VOCAB, L = 3, 12, 10           # O, B, I


def make(n):
    tags = torch.zeros(n, L, dtype=torch.long)
    for r in range(n):
        i = 0
        while i < L:
            if torch.rand(1) < 0.3:
                k = torch.randint(1, 4, (1,)).item()
                tags[r, i] = 1
                tags[r, i + 1:i + k] = 2
                i += k + 1
            else:
                i += 1
    base = torch.tensor([0, 4, 8])[tags] + torch.randint(0, 4, (n, L))
    noisy = torch.rand(n, L) < 0.04
    return torch.where(noisy, torch.randint(0, VOCAB, (n, L)), base), tags


class BiLSTMCRF(nn.Module):
    def __init__(self, d=16, h=16):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, d)
        self.rnn = nn.LSTM(d, h, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * h, TAGS)
        self.trans = nn.Parameter(torch.zeros(TAGS, TAGS))
        self.start = nn.Parameter(torch.zeros(TAGS))

    def emissions(self, x):
        return self.fc(self.rnn(self.emb(x))[0])

    def nll(self, x, t):
        e = self.emissions(x)
        gold = self.start[t[:, 0]] + e.gather(2, t[..., None]).squeeze(-1).sum(1) + self.trans[t[:, :-1], t[:, 1:]].sum(1)
        a = self.start + e[:, 0]
        for i in range(1, L):
            a = torch.logsumexp(a[:, :, None] + self.trans, 1) + e[:, i]
        return (torch.logsumexp(a, 1) - gold).mean()

    @torch.no_grad()
    def viterbi(self, x):
        e = self.emissions(x)
        s, back = self.start + e[:, 0], []
        for i in range(1, L):
            v, idx = (s[:, :, None] + self.trans).max(1)
            s = v + e[:, i]
            back.append(idx)
        path = [s.argmax(1)]
        for idx in reversed(back):
            path.append(idx.gather(1, path[-1][:, None]).squeeze(1))
        return torch.stack(path[::-1], 1)


xtr, ttr = make(4000)
xte, tte = make(400)
model = BiLSTMCRF()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
EPOCHS = 8
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
for ep in range(EPOCHS):
    model.train()
    tot = 0.0
    for b in torch.randperm(len(xtr)).split(80):
        loss = model.nll(xtr[b], ttr[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    sched.step()
    model.eval()
    with torch.no_grad():
        tl = model.nll(xte, tte).item()
    p = model.viterbi(xte)
    print(f"epoch {ep + 1} train nll {tot / len(xtr):.4f} test nll {tl:.4f} tag acc {(p == tte).float().mean():.4f} "
          f"whole rows {(p == tte).all(1).float().mean():.4f}")
p = model.viterbi(xte)
print("illegal O->I transitions:", ((p[:, :-1] == 0) & (p[:, 1:] == 2)).sum().item())
