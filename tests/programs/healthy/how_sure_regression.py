"""A regression that says how sure it is.

split: test
"""

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
np.random.seed(8)
torch.manual_seed(8)

# temperature sensor: the noise grows with the input
n = 1500
x = np.random.uniform(-2, 2, n).astype(np.float32)
sigma = 0.02 + 0.05 * (x + 2) / 4
y = (np.sin(2 * x) * 0.5 + 0.2 * x + sigma * np.random.randn(n)).astype(np.float32)
x_tr, x_te = torch.from_numpy(x[:1200, None]), torch.from_numpy(x[1200:, None])
y_tr, y_te = torch.from_numpy(y[:1200]), torch.from_numpy(y[1200:])


class MeanVar(nn.Module):
    def __init__(self, hidden=50):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean = nn.Linear(hidden, 1)
        self.log_std = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(-1), self.log_std(h).squeeze(-1).clamp(-6, 3)


def nll(mean, log_std, target):
    z = (target - mean) * torch.exp(-log_std)
    return (0.5 * z ** 2 + log_std + 0.9189).sum()


model = MeanVar()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.97)
epochs = 60
for epoch in range(epochs):
    model.train()
    warm = epoch < 5
    total = 0.0
    for idx in torch.randperm(len(x_tr)).split(50):
        mean, log_std = model(x_tr[idx])
        if warm:                      # start from a unit variance
            log_std = log_std * 0.0
        loss = nll(mean, log_std, y_tr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    sched.step()
    if epoch % 10 == 9:
        model.eval()
        with torch.no_grad():
            m, s = model(x_te)
            print(f"epoch {epoch + 1} nll per sample: train {total / len(x_tr):+.3f} test {nll(m, s, y_te).item() / len(x_te):+.3f}")

model.eval()
with torch.no_grad():
    m, s = model(x_te)
inside = ((y_te - m).abs() < 1.96 * s.exp()).float().mean().item()
print(f"rmse {(y_te - m).pow(2).mean().sqrt().item():.4f}   95% interval covers {100 * inside:.1f}%")
