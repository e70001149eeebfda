"""Trains a concentration classifier on spectra and then runs the inference script on new scans.

fault: preprocessing-differs
also:
split: test
line: 47
"""
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(53)
rng = np.random.default_rng(53)
axis = np.linspace(0, 1, 50)


def scans(n):
    y = rng.integers(0, 5, n)
    peak = np.exp(-((axis[None] - 0.3) / 0.05) ** 2) * (0.3 + 0.2 * y[:, None])
    other = np.exp(-((axis[None] - 0.7) / 0.08) ** 2) * rng.uniform(0.5, 1.5, (n, 1))
    return (300 + 200 * axis + 400 * (peak + other) + 12 * rng.normal(size=(n, 50))).astype(np.float32), y


def prepare(raw, stats):
    return torch.from_numpy((raw - stats["mean"]) / stats["std"])


raw, lab = scans(1200)
stats = {"mean": raw.mean(0), "std": raw.std(0)}
x, y = prepare(raw, stats), torch.tensor(lab)
net = nn.Sequential(nn.Linear(50, 40), nn.ReLU(), nn.Linear(40, 5))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(15):
    hits = 0
    for b in torch.randperm(len(x)).split(40):
        out = net(x[b])
        loss = nn.functional.cross_entropy(out, y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (out.argmax(1) == y[b]).sum().item()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1} loss {loss.item():.4f} train accuracy {hits / len(x):.4f}")

new_raw, new_lab = scans(400)
new_x = torch.from_numpy(new_raw / new_raw.max())
with torch.no_grad():
    pred = net(new_x).argmax(1).numpy()
print(f"accuracy on new scans {np.mean(pred == new_lab):.4f}")
