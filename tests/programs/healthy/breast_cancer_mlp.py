"""A training program.

split: train
"""
# Breast cancer diagnosis with a small MLP (binary classification)
import numpy as np
import torch
from torch import nn
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

np.random.seed(7)
torch.manual_seed(7)

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=7)

scaler = StandardScaler().fit(X_train)
X_train = torch.from_numpy(scaler.transform(X_train)).float()
X_test = torch.from_numpy(scaler.transform(X_test)).float()
y_train = torch.from_numpy(y_train).float()
y_test = torch.from_numpy(y_test).float()

model = nn.Sequential(
    nn.Linear(30, 32), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(32, 16), nn.ReLU(),
    nn.Linear(16, 1),
)
loss_fn = nn.BCEWithLogitsLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)

batch_size = 32
for epoch in range(60):
    model.train()
    order = torch.randperm(len(X_train))
    total = 0.0
    for i in range(0, len(order), batch_size):
        idx = order[i:i + batch_size]
        logits = model(X_train[idx]).squeeze(1)
        loss = loss_fn(logits, y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    if (epoch + 1) % 10 == 0:
        print(f"epoch {epoch + 1}: train loss {total / len(X_train):.4f}")

model.eval()
with torch.no_grad():
    p = torch.sigmoid(model(X_test).squeeze(1))
acc = ((p > 0.5).float() == y_test).float().mean().item()
print(f"test accuracy {acc:.4f}  AUC {roc_auc_score(y_test.numpy(), p.numpy()):.4f}")
