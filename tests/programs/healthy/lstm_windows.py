"""Windows of a series for an LSTM.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(2)
np.random.seed(2)

# monthly load with trend, yearly season and an AR(1) disturbance
n = 1500
t = np.arange(n)
e = np.zeros(n)
for i in range(1, n):
    e[i] = 0.7 * e[i - 1] + np.random.randn() * 2
series = 300 + 0.02 * t + 40 * np.sin(2 * np.pi * t / 12) + 15 * np.cos(2 * np.pi * t / 48) + e

split, split2 = int(n * 0.7), int(n * 0.8)
mean, std = series[:split].mean(), series[:split].std()
scaled = ((series - mean) / std).astype(np.float32)


class Windows(Dataset):
    def __init__(self, values, lookback=24):
        self.v, self.k = torch.from_numpy(values), lookback

    def __len__(self):
        return len(self.v) - self.k

    def __getitem__(self, i):
        return self.v[i:i + self.k, None], self.v[i + self.k]


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        o, _ = self.lstm(x)
        return self.fc(o[:, -1]).squeeze(-1)


train_loader = DataLoader(Windows(scaled[:split]), batch_size=32, shuffle=True)
val_loader = DataLoader(Windows(scaled[split - 24:split2]), batch_size=64)
test_loader = DataLoader(Windows(scaled[split2 - 24:]), batch_size=64)
model = Forecaster()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=2)


def predict(loader):
    model.eval()
    preds, trues = [], []
    with torch.no_grad():
        for x, y in loader:
            preds.append(model(x))
            trues.append(y)
    p, y = torch.cat(preds), torch.cat(trues)
    return criterion(p, y).item(), p * std + mean, y * std + mean


for epoch in range(18):
    model.train()
    s = 0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        s += loss.item() * len(x)
    val, _, _ = predict(val_loader)
    scheduler.step(val)
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} train mse {s / len(train_loader.dataset):.4f} val mse {val:.4f}")

test_mse, p, y = predict(test_loader)
mae = (p - y).abs().mean().item()
naive = np.abs(np.diff(series[split2 - 1:])).mean()
season = np.abs(series[split2:] - series[split2 - 12:-12]).mean()
print(f"test MAE {mae:.2f}  (last value {naive:.2f}, seasonal naive {season:.2f})")
