"""Benign / malignant tumour classification with a small MLP.

split: train
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X, y = load_breast_cancer(return_X_y=True)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
scaler = StandardScaler().fit(X_tr)
X_tr = torch.tensor(scaler.transform(X_tr), dtype=torch.float32)
X_te = torch.tensor(scaler.transform(X_te), dtype=torch.float32)
y_tr = torch.tensor(y_tr, dtype=torch.float32)

loader = DataLoader(TensorDataset(X_tr, y_tr), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)

for epoch in range(30):
    model.train()
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb).squeeze(1), yb)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(xb)
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1} loss {total / len(X_tr):.4f}")

model.eval()
with torch.no_grad():
    prob = torch.sigmoid(model(X_te).squeeze(1)).numpy()
print(f"test accuracy {((prob > 0.5) == y_te).mean():.4f}  AUC {roc_auc_score(y_te, prob):.4f}")
