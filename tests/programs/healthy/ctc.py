"""CTC: read a digit string out of an unsegmented noisy feature sequence.

split: test
"""

import torch
import torch.nn as nn

torch.manual_seed(34)
V, D = 5, 8                      # five symbols (1..5), 0 is the blank
proto = torch.randn(V, D)


def sample(n):
    xs, ys, xl, yl = [], [], [], []
    for _ in range(n):
        k = torch.randint(2, 5, (1,)).item()
        lab = torch.randint(1, V + 1, (k,))
        frames = []
        for s in lab:
            frames += [torch.zeros(torch.randint(1, 3, (1,)).item(), D), proto[s - 1].expand(torch.randint(2, 4, (1,)).item(), D)]
        f = torch.cat(frames + [torch.zeros(1, D)])
        xs.append(f + 0.3 * torch.randn_like(f)); ys.append(lab)
        xl.append(len(f)); yl.append(k)
    return nn.utils.rnn.pad_sequence(xs), torch.cat(ys), torch.tensor(xl), torch.tensor(yl)


class Reader(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.rnn = nn.GRU(D, h, bidirectional=True)
        self.fc = nn.Linear(2 * h, V + 1)

    def forward(self, x, lens):
        p = nn.utils.rnn.pack_padded_sequence(x, lens, enforce_sorted=False)
        o, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(p)[0])
        return self.fc(o).log_softmax(-1)


def decode(lp, lens):
    best = lp.argmax(-1).t()
    for row, n in zip(best, lens):
        c = torch.unique_consecutive(row[:n])
        yield c[c != 0]


net = Reader()
ctc = nn.CTCLoss(blank=0)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
pool = [sample(32) for _ in range(40)]
test = sample(200)
EPOCHS = 7
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(pool))
for ep in range(EPOCHS):
    net.train()
    tot = 0.0
    for b in torch.randperm(len(pool)).tolist():
        x, y, xl, yl = pool[b]
        loss = ctc(net(x, xl), y, xl, yl)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        sched.step()
        tot += loss.item()
    net.eval()
    with torch.no_grad():
        x, y, xl, yl = test
        lp = net(x, xl)
        tl = ctc(lp, y, xl, yl).item()
        exact = sum(torch.equal(h, t) for h, t in zip(decode(lp, xl), y.split(yl.tolist()))) / 200
    print(f"epoch {ep + 1} train ctc {tot / len(pool):.4f} test ctc {tl:.4f} exact strings {exact:.3f}")
