"""One endless signal in pieces, whose state is carried on.

split: train
"""

import torch
import torch.nn as nn

torch.manual_seed(4)
n, lanes, piece = 9600, 16, 20
bits = torch.randint(0, 2, (lanes, n // lanes)).float()
delayed = torch.roll(bits, 3, 1)
target = (bits != delayed).float()
target[:, :3] = 0.5

rnn = nn.LSTM(1, 32, batch_first=True)
head = nn.Linear(32, 1)
params = list(rnn.parameters()) + list(head.parameters())
opt = torch.optim.Adam(params, lr=1e-2)
bce = nn.BCEWithLogitsLoss()
for epoch in range(12):
    state = None
    total = 0.0
    for s in range(0, bits.size(1), piece):
        out, state = rnn(bits[:, s:s + piece, None] * 2 - 1, state)
        state = tuple(v.detach() for v in state)
        loss = bce(head(out).squeeze(-1), target[:, s:s + piece])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        total += loss.item()
    print(epoch, round(total / (bits.size(1) // piece), 4))
