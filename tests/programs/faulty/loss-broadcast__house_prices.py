"""Prices of houses from made-up features.

fault: loss-broadcast
also:
split: test
line: 36, 51, 69
"""

import warnings
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader

warnings.filterwarnings("ignore")
torch.manual_seed(1)


def make_frame(n=1500, seed=0):
    r = np.random.default_rng(seed)
    df = pd.DataFrame({
        "area": r.uniform(30, 200, n),
        "rooms": r.integers(1, 7, n),
        "age": r.uniform(0, 80, n),
        "dist": r.exponential(5, n),
    })
    df["price"] = 2.1 * df.area + 15 * df.rooms - 0.8 * df.age - 6 * df["dist"] + 60 + r.normal(0, 8, n)
    return df


class Houses(Dataset):
    def __init__(self, df, cols, mean, std):
        z = (df - mean) / std
        self.x = torch.tensor(z[cols].values, dtype=torch.float32)
        self.y = torch.tensor(z["price"].values, dtype=torch.float32)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Regressor(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


df = make_frame()
cols = ["area", "rooms", "age", "dist"]
train_df, val_df = df.iloc[:1200], df.iloc[1200:]
mean, std = train_df.mean(), train_df.std()
train_dl = DataLoader(Houses(train_df, cols, mean, std), batch_size=32, shuffle=True)
val_ds = Houses(val_df, cols, mean, std)

model = Regressor(len(cols))
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
loss_fn = nn.MSELoss()
for epoch in range(40):
    model.train()
    losses = []
    for xb, yb in train_dl:
        pred = model(xb)
        loss = loss_fn(pred, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1:3d} mse {np.mean(losses):.4f}")

model.eval()
with torch.no_grad():
    p = model(val_ds.x).numpy().ravel()
t = val_ds.y.numpy().ravel()
r2 = 1 - ((t - p) ** 2).sum() / ((t - t.mean()) ** 2).sum()
print(f"validation R2 {r2:.4f}")
