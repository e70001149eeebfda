"""Power anomaly of a wind turbine from SCADA channels.

fault: unreachable-target
also: output-activation
split: test
line: 36
"""
import numpy as np
import torch
import torch.nn as nn
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset


def scada(n=8000, seed=3):
    rng = np.random.default_rng(seed)
    wind = rng.weibull(2.0, n) * 9
    yaw = rng.normal(0, 8, n)
    pitch = np.clip(rng.normal(2, 3, n), -3, 15)
    temp = rng.normal(9, 8, n)
    turb = rng.uniform(0.05, 0.25, n)
    eff = np.cos(np.radians(yaw)) ** 3 * (1 - 0.03 * np.abs(pitch))
    power = 2000 / (1 + np.exp(-(wind * eff - 8) * 0.8)) * (1.03 - 0.003 * temp) * (1 - 0.4 * turb)
    power += rng.normal(0, 25, n)
    return np.c_[wind, yaw, pitch, temp, turb], power[:, None]


def build(n_in):
    return nn.Sequential(
        nn.Linear(n_in, 64),
        nn.ReLU(),
        nn.Linear(64, 32),
        nn.ReLU(),
        nn.Linear(32, 1),
        nn.ReLU(),
    )


def main():
    torch.manual_seed(3)
    x, y = scada()
    xt, xv, yt, yv = train_test_split(x, y, test_size=0.2, random_state=0)
    sx, sy = StandardScaler().fit(xt), StandardScaler().fit(yt)
    as_tensor = lambda a: torch.tensor(a, dtype=torch.float32)
    xt, xv = as_tensor(sx.transform(xt)), as_tensor(sx.transform(xv))
    yt, yv = as_tensor(sy.transform(yt)), as_tensor(sy.transform(yv))
    loader = DataLoader(TensorDataset(xt, yt), batch_size=64, shuffle=True)

    model = build(x.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loss_fn = nn.SmoothL1Loss()
    for epoch in range(1, 21):
        model.train()
        seen = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            optimizer.step()
            seen += loss.item()
        model.eval()
        with torch.no_grad():
            pred = model(xv)
        r2 = 1 - ((pred - yv) ** 2).sum() / ((yv - yv.mean()) ** 2).sum()
        if epoch % 4 == 0:
            print(f"epoch {epoch:2d} loss {seen / len(loader):.4f} val R2 {r2:.4f}")
    print(f"score (R2) {r2:.4f}")


if __name__ == "__main__":
    main()
