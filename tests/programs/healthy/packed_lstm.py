"""Sequences of different lengths, packed, with weights for rare classes.

split: test
"""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence
from torch.utils.data import DataLoader

torch.manual_seed(18)
torch.set_num_threads(1)
NAMES = ["rising", "falling", "spike"]


def series():
    """Imbalanced set of sequences of unequal length."""
    n = int(torch.randint(6, 25, (1,)))
    u = torch.rand(()).item()
    k = 0 if u < 0.6 else 1 if u < 0.9 else 2
    t = torch.linspace(0, 1, n)
    x = 0.4 * torch.randn(n)
    if k < 2:
        x = x + (1 - 2 * k) * 2.0 * (t - 0.5)
    else:
        x[int(torch.randint(0, n, (1,)))] += 3.5
    return x.unsqueeze(1), k


data = [series() for _ in range(1400)]
train, test = data[:1100], data[1100:]


def collate(rows):
    return pack_sequence([r[0] for r in rows], enforce_sorted=False), torch.tensor([r[1] for r in rows])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(1, 24, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(48 * 2, 3)

    def forward(self, packed):
        out, _ = self.rnn(packed)
        h, n = pad_packed_sequence(out, batch_first=True, padding_value=0.0)
        valid = (torch.arange(h.shape[1])[None] < n[:, None]).unsqueeze(-1)
        mean = (h * valid).sum(1) / n[:, None]
        top = h.masked_fill(~valid, float("-inf")).amax(1)
        return self.fc(torch.cat([mean, top], 1))


labels = torch.tensor([r[1] for r in train])
count = torch.bincount(labels).float()
weight = (count.sum() / (3 * count)).sqrt()
print("counts", count.tolist(), "weights", weight.tolist())
model = Net()
lossf = nn.CrossEntropyLoss(weight=weight)
opt = torch.optim.AdamW(model.parameters(), lr=8e-3, weight_decay=1e-3)
loader = DataLoader(train, 25, shuffle=True, collate_fn=collate)
warm = 20
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) / warm, 1.0) * 0.5 ** (s / 250))
for epoch in range(6):
    model.train()
    total = 0.0
    for xb, yb in loader:
        loss = lossf(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
        sched.step()
        total += loss.item()
    model.eval()
    with torch.no_grad():
        xb, yb = collate(test)
        pred = model(xb).argmax(1)
    rec = [(pred == k)[yb == k].float().mean().item() for k in range(3)]
    print(epoch, f"loss {total / len(loader):.3f}", " ".join(f"{n} {r:.2f}" for n, r in zip(NAMES, rec)))
