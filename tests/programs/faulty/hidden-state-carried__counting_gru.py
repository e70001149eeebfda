"""A GRU that reads a stream of noisy pulses and says how many pulses it has seen.

fault: hidden-state-carried
also:
split: train
line: 32
"""
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)
rng = np.random.RandomState(11)


def make(n, T=20):
    p = rng.uniform(0.1, 0.9, size=(n, 1))
    pulses = (rng.rand(n, T) < p).astype("float32")
    sig = pulses + 0.1 * rng.randn(n, T).astype("float32")
    return torch.from_numpy(sig).unsqueeze(-1).float(), torch.from_numpy(pulses.sum(1) / 10.0)


class PulseCounter(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.hidden = None

    def forward(self, x):
        h0 = self.hidden if self.hidden is not None and self.hidden.size(1) == x.size(0) else None
        y, h = self.rnn(x, h0)
        self.hidden = h.detach()
        return self.out(y[:, -1]).squeeze(-1)


xtr, ytr = make(1600)
xva, yva = make(400)
model = PulseCounter()
optim = torch.optim.Adam(model.parameters(), lr=4e-3)
crit = nn.MSELoss()

for ep in range(12):
    order = torch.randperm(len(xtr))
    model.train()
    run = 0.0
    for idx in order.split(40):
        optim.zero_grad()
        l = crit(model(xtr[idx]), ytr[idx])
        l.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        run += l.item()
    model.eval()
    with torch.no_grad():
        preds = torch.cat([model(xb) for xb in xva.split(40)])
    mae = (preds - yva).abs().mean() * 10
    print("epoch", ep, "train mse", round(run / 40, 4), "val MAE (pulses)", round(mae.item(), 3))
