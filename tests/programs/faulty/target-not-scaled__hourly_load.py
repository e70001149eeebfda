"""The load of the next hour from the last two days, by an LSTM.

fault: target-not-scaled
also:
split: train
line: 53
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.preprocessing import MinMaxScaler
from torch.utils.data import DataLoader, TensorDataset


def load_series(n=2400, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    return 500 + 120 * np.sin(2 * np.pi * t / 24) + 60 * np.sin(2 * np.pi * t / 168) + 12 * rng.normal(size=n)


def create_sequences(data, seq_length):
    xs, ys = [], []
    for i in range(len(data) - seq_length):
        xs.append(data[i:i + seq_length])
        ys.append(data[i + seq_length])
    return np.array(xs), np.array(ys)


class LoadLSTM(nn.Module):
    def __init__(self, hidden_size=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden_size, batch_first=True)
        self.linear = nn.Linear(hidden_size, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.linear(out[:, -1])


torch.manual_seed(1)
series = load_series().reshape(-1, 1)
scaler = MinMaxScaler(feature_range=(0, 1))
train_raw, test_raw = series[:2000], series[2000:]
train_scaled = scaler.fit_transform(train_raw)
test_scaled = scaler.transform(test_raw)

seq_length = 48
X_train, y_train = create_sequences(train_scaled, seq_length)
X_test, y_test = create_sequences(test_scaled, seq_length)

X_train = torch.tensor(X_train, dtype=torch.float32)
y_train = torch.tensor(y_train, dtype=torch.long)
X_test = torch.tensor(X_test, dtype=torch.float32)

train_loader = DataLoader(TensorDataset(X_train, y_train), batch_size=64, shuffle=True)

model = LoadLSTM()
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(8):
    model.train()
    total = 0
    for X_batch, y_batch in train_loader:
        y_pred = model(X_batch)
        loss = loss_fn(y_pred, y_batch.float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"Epoch {epoch + 1}: train MSE {total / len(train_loader):.5f}")

model.eval()
with torch.no_grad():
    forecast = scaler.inverse_transform(model(X_test).numpy())
truth = scaler.inverse_transform(y_test)
print("test RMSE in MW:", float(np.sqrt(((forecast - truth) ** 2).mean())), " std of load:", float(truth.std()))
