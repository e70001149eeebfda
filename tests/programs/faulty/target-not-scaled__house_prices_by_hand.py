"""House prices, with a loss that is written out.

fault: target-not-scaled
also: 
split: train
line: 36, 37
"""

import numpy as np
import pandas as pd
import torch
import torch.nn.functional as F

torch.set_num_threads(1)

torch.manual_seed(42)
rng = np.random.default_rng(42)
n = 2000
houses = pd.DataFrame({
    "sqm": rng.normal(110, 35, n).clip(25, 300),
    "rooms": rng.integers(1, 8, n),
    "age": rng.integers(0, 90, n),
    "distance_km": rng.gamma(2.0, 4.0, n),
    "garden": rng.integers(0, 2, n),
})
houses["price"] = (
    2600 * houses.sqm + 9000 * houses.rooms - 900 * houses.age - 4200 * houses.distance_km
    + 21000 * houses.garden + 300 * houses.sqm * houses.garden + rng.normal(0, 9000, n)
)

train, test = houses.iloc[:1600], houses.iloc[1600:]
cols = ["sqm", "rooms", "age", "distance_km", "garden"]
mean, std = train[cols].mean(), train[cols].std()
X_train = torch.tensor(((train[cols] - mean) / std).values, dtype=torch.float32)
X_test = torch.tensor(((test[cols] - mean) / std).values, dtype=torch.float32)
y_mean, y_std = 0.0, 1.0
y_train = torch.tensor(((train["price"] - y_mean) / y_std).values, dtype=torch.float32)
price_test = torch.tensor(test["price"].values, dtype=torch.float32)

w1 = torch.nn.Linear(5, 64)
w2 = torch.nn.Linear(64, 64)
w3 = torch.nn.Linear(64, 1)
params = [*w1.parameters(), *w2.parameters(), *w3.parameters()]
optimizer = torch.optim.Adam(params, lr=1e-3)


def predict(x):
    return w3(F.relu(w2(F.relu(w1(x))))).squeeze(-1)


for epoch in range(40):
    perm = torch.randperm(len(X_train))
    for i in range(0, len(perm), 64):
        idx = perm[i:i + 64]
        loss = ((predict(X_train[idx]) - y_train[idx]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if (epoch + 1) % 10 == 0:
        with torch.no_grad():
            pred = predict(X_test) * float(y_std) + float(y_mean)
            mae = (pred - price_test).abs().mean()
            r2 = 1 - ((pred - price_test) ** 2).sum() / ((price_test - price_test.mean()) ** 2).sum()
        print(f"epoch {epoch + 1}: loss {loss.item():.4g}  test MAE {mae.item():,.0f} EUR  R2 {r2.item():.3f}")
