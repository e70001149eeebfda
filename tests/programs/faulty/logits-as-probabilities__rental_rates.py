"""Rented bikes in an hour, by the hour and the weather.

fault: logits-as-probabilities
also: 
split: train
line: 46
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(6)
rng = np.random.default_rng(6)

# hourly rental counts from hour of day, temperature, wind and weekend flag
n = 3000
hour = rng.integers(0, 24, n)
temp = rng.normal(0, 1, n)
wind = rng.normal(0, 1, n)
weekend = (rng.random(n) < 2 / 7).astype(float)
log_rate = 1.0 + 0.9 * np.sin((hour - 6) / 24 * 2 * np.pi) + 0.4 * temp - 0.2 * wind + 0.3 * weekend
counts = rng.poisson(np.exp(log_rate))
features = np.stack([np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi), temp, wind, weekend - 2 / 7], axis=1)

X = torch.tensor(features, dtype=torch.float32)
Y = torch.tensor(counts, dtype=torch.float32)
X_train, Y_train = X[:2400], Y[:2400]
X_val, Y_val = X[2400:], Y[2400:]


class CountModel(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_features, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.rate = nn.Linear(32, 1)

    def forward(self, x):
        """Expected number of rentals."""
        return self.rate(self.body(x)).squeeze(-1)


model = CountModel(X.shape[1])
criterion = nn.PoissonNLLLoss(log_input=False)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)

for epoch in range(25):
    model.train()
    losses = []
    for idx in torch.randperm(len(X_train)).split(64):
        loss = criterion(model(X_train[idx]), Y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    if epoch % 4 == 0:
        model.eval()
        with torch.no_grad():
            val_loss = criterion(model(X_val), Y_val).item()
        print(f"epoch {epoch:2d} train {np.mean(losses):.4f} val {val_loss:.4f}")

model.eval()
with torch.no_grad():
    pred = model(X_val)
print("validation MAE %.3f, always-the-mean MAE %.3f" % (
    (pred - Y_val).abs().mean(), (Y_train.mean() - Y_val).abs().mean()))
print("mean predicted %.2f, mean observed %.2f" % (pred.mean(), Y_val.mean()))
