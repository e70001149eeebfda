"""Regression on the Friedman data with a price-like target; target scaled on the training part only.

split: test
"""

import numpy as np
import pandas as pd
import torch
from torch import nn
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score, mean_absolute_error
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
X, y = make_friedman1(3000, n_features=10, noise=0.8, random_state=11)
df = pd.DataFrame(X * np.array([1, 10, 100, 1, 5, 1, 1, 50, 1, 2]), columns=[f"f{i}" for i in range(10)])
df["price"] = 50_000 + 12_000 * y

train_df, rest = train_test_split(df, test_size=0.3, random_state=11)
val_df, test_df = train_test_split(rest, test_size=0.5, random_state=11)
feats = [c for c in df.columns if c != "price"]
sx = StandardScaler().fit(train_df[feats].values)
sy = StandardScaler().fit(train_df[["price"]].values)


def tensors(frame):
    return (torch.tensor(sx.transform(frame[feats].values), dtype=torch.float32),
            torch.tensor(sy.transform(frame[["price"]].values), dtype=torch.float32))


loader = DataLoader(TensorDataset(*tensors(train_df)), batch_size=64, shuffle=True)
xv, yv = tensors(val_df)
xt, yt = tensors(test_df)

model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.3, patience=4)
mse = nn.MSELoss()
for epoch in range(40):
    model.train()
    losses = []
    for xb, yb in loader:
        pred = model(xb)
        loss = mse(pred, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        vloss = mse(model(xv), yv).item()
    plateau.step(vloss)
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1} train mse {np.mean(losses):.4f} val mse {vloss:.4f} lr {opt.param_groups[0]['lr']:.1e}")

with torch.no_grad():
    pred = sy.inverse_transform(model(xt).numpy()).ravel()
true = test_df["price"].values
print(f"test R2 {r2_score(true, pred):.4f}  MAE {mean_absolute_error(true, pred):.0f}  (target std {true.std():.0f})")
