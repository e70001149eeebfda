"""A regression on a known function of ten inputs.

split: train
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_friedman1
from sklearn.preprocessing import StandardScaler
from torch.utils.data import Dataset, DataLoader


class TabularDataset(Dataset):
    def __init__(self, X, y):
        self.X = torch.as_tensor(X, dtype=torch.float32)
        self.y = torch.as_tensor(y, dtype=torch.float32)

    def __len__(self):
        return len(self.X)

    def __getitem__(self, index):
        return self.X[index], self.y[index]


class Regressor(nn.Module):
    def __init__(self, in_features, hidden=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(in_features, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net(x)


def r2_score(model, X, y):
    model.eval()
    with torch.no_grad():
        pred = model(X).squeeze(1)
    ss_res = ((y - pred) ** 2).sum()
    ss_tot = ((y - y.mean()) ** 2).sum()
    return (1 - ss_res / ss_tot).item()


SEED = 11
torch.manual_seed(SEED)
np.random.seed(SEED)

X, y = make_friedman1(n_samples=2400, n_features=10, noise=0.5, random_state=SEED)
n_train = 1900
x_scaler = StandardScaler().fit(X[:n_train])
y_mean, y_std = y[:n_train].mean(), y[:n_train].std()
X = x_scaler.transform(X)
y = (y - y_mean) / y_std

train_set = TabularDataset(X[:n_train], y[:n_train])
test_set = TabularDataset(X[n_train:], y[n_train:])
train_loader = DataLoader(train_set, batch_size=50, shuffle=True)

model = Regressor(X.shape[1])
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=30)

for epoch in range(30):
    model.train()
    losses = []
    for features, target in train_loader:
        prediction = model(features)
        loss = ((prediction - target.unsqueeze(1)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    if epoch % 3 == 2:
        r2 = r2_score(model, test_set.X, test_set.y)
        print(f"epoch {epoch + 1}: train mse {np.mean(losses):.4f}, test R2 {r2:.4f}")

print(f"final test R2: {r2_score(model, test_set.X, test_set.y):.4f}")
