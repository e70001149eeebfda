"""Tumours told by thirty measurements, with a trainer.

split: train
"""

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, Dataset


class CancerDataset(Dataset):
    def __init__(self, features, labels, mean=None, std=None):
        self.x = features
        if mean is not None:
            self.x = (features - mean) / std
        self.y = labels

    def __len__(self):
        return self.x.shape[0]

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc1 = nn.Linear(d, 32)
        self.drop = nn.Dropout(0.1)
        self.fc2 = nn.Linear(32, 16)
        self.fc3 = nn.Linear(16, 1)

    def forward(self, x):
        x = self.drop(torch.relu(self.fc1(x)))
        x = torch.relu(self.fc2(x))
        return self.fc3(x).squeeze(-1)


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_fn = nn.BCEWithLogitsLoss()
        self.history = []

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    def validate(self, loader):
        self.model.eval()
        loss, correct, n = 0.0, 0, 0
        with torch.no_grad():
            for x, y in loader:
                out = self.model(x)
                loss += self.loss_fn(out, y).item() * len(y)
                correct += ((out > 0).float() == y).sum().item()
                n += len(y)
        return loss / n, correct / n

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            train_loss = sum(self.step(x, y) for x, y in train_loader) / len(train_loader)
            val_loss, val_acc = self.validate(val_loader)
            self.history.append((train_loss, val_loss, val_acc))
            if epoch % 5 == 4:
                print(f"{epoch + 1:3d} | train {train_loss:.4f} | val {val_loss:.4f} | acc {val_acc:.4f}")


torch.manual_seed(2024)
raw = load_breast_cancer()
X = torch.tensor(raw.data, dtype=torch.float32)
y = torch.tensor(raw.target, dtype=torch.float32)
perm = torch.randperm(len(X))
train_idx, val_idx = perm[:430], perm[430:]

mean = X[train_idx].mean(dim=0)
std = X[train_idx].std(dim=0)

train_ds = CancerDataset(X[train_idx], y[train_idx], mean, std)
val_ds = CancerDataset(X[val_idx], y[val_idx], mean, std)
train_loader = DataLoader(train_ds, batch_size=16, shuffle=True)
val_loader = DataLoader(val_ds, batch_size=64)

trainer = Trainer(Net(X.shape[1]), lr=1e-3)
trainer.fit(train_loader, val_loader, epochs=15)
print(f"val accuracy: {trainer.history[-1][2]:.4f}")
