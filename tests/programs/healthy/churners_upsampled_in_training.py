"""Customers that leave, upsampled after the split.

split: train
"""

import numpy as np
import pandas as pd
import torch
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.utils import resample
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)

SEED = 13
torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


def make_customers(n):
    df = pd.DataFrame(rng.normal(size=(n, 20)), columns=[f"f{i}" for i in range(20)])
    score = df.f0 + 0.8 * df.f1 - 0.8 * df.f2 + 0.7 * rng.normal(size=n)
    df["churn"] = (score > 2.6).astype(int)
    return df


def upsample(df):
    stay, churn = df[df.churn == 0], df[df.churn == 1]
    more = resample(churn, replace=True, n_samples=len(stay), random_state=SEED)
    return pd.concat([stay, more]).sample(frac=1, random_state=SEED)


df = make_customers(2500)
train_df, val_df = train_test_split(df, test_size=0.25, random_state=SEED, stratify=df.churn)
train_df = upsample(train_df)


def tensors(frame):
    x = torch.tensor(frame.drop(columns="churn").values, dtype=torch.float32)
    return x, torch.tensor(frame.churn.values, dtype=torch.float32)


x_val, y_val = tensors(val_df)
loader = DataLoader(TensorDataset(*tensors(train_df)), batch_size=64, shuffle=True)
model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
bce = nn.BCEWithLogitsLoss()
for epoch in range(15):
    model.train()
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = bce(model(xb).squeeze(1), yb)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        pred = (model(x_val).squeeze(1) > 0).int().numpy()
    print(f"epoch {epoch + 1} train loss {loss.item():.3f} val F1 {f1_score(y_val.numpy(), pred):.3f}")

new_customers = make_customers(3000)
x_new, y_new = tensors(new_customers)
with torch.no_grad():
    pred = (model(x_new).squeeze(1) > 0).int().numpy()
print(f"next quarter: F1 {f1_score(y_new.numpy(), pred):.3f}")
