"""Tumours by plain gradient descent.

fault: features-of-different-scale
also: input-not-scaled
split: test
line: 38, 40, 41, 44
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.metrics import accuracy_score, roc_auc_score

SEED = 0
torch.manual_seed(SEED)
np.random.seed(SEED)


class TumorNet(nn.Module):
    def __init__(self, in_features):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(in_features, 32),
            nn.ReLU(),
            nn.Linear(32, 16),
            nn.ReLU(),
            nn.Linear(16, 1),
        )

    def forward(self, x):
        return self.layers(x).squeeze(1)


def load():
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.25, random_state=SEED, stratify=y)
    to = lambda a: torch.tensor(a, dtype=torch.float32)
    return to(X_train), to(X_test), to(y_train), to(y_test)


X_train, X_test, y_train, y_test = load()
model = TumorNet(X_train.shape[1])
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)

batch_size = 32
for epoch in range(60):
    model.train()
    perm = torch.randperm(len(X_train))
    epoch_loss = 0.0
    for start in range(0, len(perm), batch_size):
        idx = perm[start:start + batch_size]
        optimizer.zero_grad()
        loss = criterion(model(X_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(idx)
    if (epoch + 1) % 10 == 0:
        print(f"Epoch {epoch + 1}/60 - loss {epoch_loss / len(X_train):.4f}")

model.eval()
with torch.no_grad():
    prob = torch.sigmoid(model(X_test)).numpy()
acc = accuracy_score(y_test, prob > 0.5)
print(f"Test accuracy {acc:.3f}, AUC {roc_auc_score(y_test, prob):.3f}")
