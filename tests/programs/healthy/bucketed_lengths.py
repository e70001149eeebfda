"""Sequences in buckets of one length, packed for an LSTM.

split: train
"""

import random
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

random.seed(1)
torch.manual_seed(1)


def example():
    n = random.randint(4, 14)
    seq = [random.randint(1, 9) for _ in range(n)]
    return torch.tensor(seq), max(set(seq), key=lambda s: (seq.count(s), s)) <= 4


def buckets(examples, size):
    ordered = sorted(examples, key=lambda e: len(e[0]))
    groups = [ordered[i:i + size] for i in range(0, len(ordered), size)]
    random.shuffle(groups)
    for g in groups:
        lengths = torch.tensor([len(s) for s, _ in g])
        yield pad_sequence([s for s, _ in g], batch_first=True), lengths, torch.tensor([float(y) for _, y in g])


class Majority(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 16, padding_idx=0)
        self.lstm = nn.LSTM(16, 32, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(64, 1)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.emb(ids), lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        mask = (ids != 0).unsqueeze(-1)
        return self.fc((h * mask).sum(1) / lengths[:, None]).squeeze(1)


train, test = [example() for _ in range(2000)], [example() for _ in range(400)]
net, lossf = Majority(), nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for epoch in range(8):
    net.train()
    for ids, lengths, y in buckets(train, 40):
        loss = lossf(net(ids, lengths), y)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
    net.eval()
    with torch.no_grad():
        ok = sum(((net(i, l) > 0).float() == y).sum().item() for i, l, y in buckets(test, 100)) / 400
    print("epoch", epoch, "loss", round(loss.item(), 3), "accuracy", ok)
