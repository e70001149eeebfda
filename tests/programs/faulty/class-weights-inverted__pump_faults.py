"""Rare-fault detection on tabular pump sensors (normal / leak / bearing).

fault: class-weights-inverted
also:
split: test
line: 28
"""
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score, recall_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X, y = make_classification(n_samples=8000, n_features=16, n_informative=8, n_redundant=2, n_classes=3,
                           n_clusters_per_class=1, weights=[0.88, 0.08, 0.04], class_sep=0.9,
                           flip_y=0.0, random_state=3)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
scaler = StandardScaler().fit(X_train)
X_train = torch.tensor(scaler.transform(X_train), dtype=torch.float32)
X_test = torch.tensor(scaler.transform(X_test), dtype=torch.float32)
y_train = torch.tensor(y_train)

counts = np.bincount(y_train.numpy())
weights = len(counts) * counts / counts.sum()
print("class counts", counts, "weights", np.round(weights, 3))

loader = DataLoader(TensorDataset(X_train, y_train), batch_size=128, shuffle=True)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss(weight=torch.tensor(weights, dtype=torch.float32))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)

for epoch in range(20):
    model.train()
    running = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        running += loss.item()
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1} loss {running / len(loader):.4f}")

model.eval()
with torch.no_grad():
    pred = model(X_test).argmax(1).numpy()
print("recall per class", np.round(recall_score(y_test, pred, average=None), 3))
print(f"balanced accuracy {balanced_accuracy_score(y_test, pred):.4f}")
