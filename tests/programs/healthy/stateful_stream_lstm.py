"""An LSTM reads one long stream piece by piece; the detached state goes on from piece to piece.

split: test
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(18)
time = torch.arange(6000) * 0.1
signal = torch.sin(time) * 0.7 + torch.sin(time * 0.37) * 0.5
streams = signal.reshape(10, 600).unsqueeze(-1)
lstm = nn.LSTM(1, 32, batch_first=True)
readout = nn.Linear(32, 1)
params = [*lstm.parameters(), *readout.parameters()]
optimizer = torch.optim.Adam(params, lr=5e-3)
for epoch in range(12):
    state = None
    total = 0.0
    for start in range(0, 480, 30):
        piece = streams[:, start : start + 31]
        out, state = lstm(piece[:, :-1], state)
        state = tuple(s.detach() for s in state)
        loss = nn.functional.mse_loss(readout(out), piece[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        optimizer.step()
        total += loss.item() / 16
    print(f"epoch {epoch} mse {total:.5f}")
with torch.no_grad():
    out, _ = lstm(streams[:, 480:-1], state)
    error = nn.functional.mse_loss(readout(out), streams[:, 481:])
print(f"end of the streams: mse {error:.5f}, variance {streams.var():.3f}")
