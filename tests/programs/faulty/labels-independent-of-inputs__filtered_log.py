"""Calibrate a gas sensor: concentration from four raw channels, after dropping bad readings.

fault: labels-independent-of-inputs
also:
split: train
line: 33, 29, 30
"""
import numpy as np
import pandas as pd
import torch
import torch.nn as nn

rng = np.random.default_rng(11)
torch.manual_seed(11)


def read_log(n=1200):
    a, b, c, d = rng.normal(size=(4, n))
    conc = np.sin(1.2 * a) + 0.6 * b * c + 0.4 * d
    log = pd.DataFrame({"ch_a": a, "ch_b": b, "ch_c": c, "ch_d": d})
    log["status"] = np.where(rng.random(n) < 0.08, "ERR", "OK")
    bad = log["status"] == "ERR"
    log.loc[bad, ["ch_a", "ch_b"]] = -99.0
    reference = pd.Series(conc + 0.05 * rng.normal(size=n), name="ppm")
    return log, reference


log, reference = read_log()
clean = log[log["status"] == "OK"]
clean = clean.drop(columns="status").reset_index(drop=True)

x = torch.tensor(clean.to_numpy(), dtype=torch.float32)
y = torch.tensor(reference.to_numpy()[: len(clean)], dtype=torch.float32).unsqueeze(1)
y = (y - y.mean()) / y.std()
split = int(0.8 * len(x))
x_tr, y_tr, x_va, y_va = x[:split], y[:split], x[split:], y[split:]

model = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=10, history_size=20)
mse = nn.MSELoss()


def closure():
    optimizer.zero_grad()
    penalty = sum((p ** 2).sum() for p in model.parameters())
    loss = mse(model(x_tr), y_tr) + 1e-4 * penalty
    loss.backward()
    return loss


for step in range(30):
    loss = optimizer.step(closure)
    if step % 5 == 4:
        with torch.no_grad():
            val = mse(model(x_va), y_va).item()
        print(f"step {step + 1} train {loss.item():.4f} val mse {val:.4f} (r2 {1 - val / y_va.var().item():.3f})")
