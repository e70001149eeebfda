"""Survival of passengers from a small table (Kaggle style).

fault: constant-input
also:
split: train
line: 34
"""
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(7)
torch.manual_seed(7)

n = 1600
df = pd.DataFrame({
    "pclass": rng.integers(1, 4, n),
    "sex": rng.choice(["male", "female"], n),
    "age": rng.normal(34, 13, n).clip(1, 80).round(),
    "fare": rng.gamma(2.0, 15.0, n).round(2),
    "embarked": rng.choice(["S", "C", "Q"], n, p=[0.7, 0.2, 0.1]),
})
logit = (
    3.4 * (df["sex"] == "female")
    - 2.6 * (df["pclass"] - 2)
    - 0.03 * (df["age"] - 34)
    - 1.4
)
df["survived"] = (rng.random(n) < 1 / (1 + np.exp(-1.6 * logit))).astype(int)

df["sex"] = df["sex"].map({"male": 0, "female": 1})
df["pclass"] = df["pclass"].map({"1": 0.0, "2": 0.5, "3": 1.0})
df["embarked"] = df["embarked"].map({"S": 0, "C": 1, "Q": 2})
df = df.fillna(0)
for col in ["age", "fare"]:
    df[col] = (df[col] - df[col].mean()) / df[col].std()

X = df.drop(columns="survived").to_numpy(dtype=np.float32)
y = df["survived"].to_numpy(dtype=np.float32)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0)
X_train, X_test = torch.from_numpy(X_train), torch.from_numpy(X_test)
y_train, y_test = torch.from_numpy(y_train), torch.from_numpy(y_test)

model = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))
opt = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-4)
loss_fn = nn.BCEWithLogitsLoss()

batch = 50
for epoch in range(25):
    perm = torch.randperm(len(X_train))
    total = 0.0
    for i in range(0, len(perm), batch):
        idx = perm[i:i + batch]
        out = model(X_train[idx]).squeeze(1)
        loss = loss_fn(out, y_train[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            acc = ((model(X_test).squeeze(1) > 0).float() == y_test).float().mean()
        model.train()
        print(f"epoch {epoch + 1}: loss {total / len(perm):.4f}  test acc {acc:.3f}")
