"""Tumours by thirty measurements in mixed precision on a processor.

fault: clip-before-unscale
also:
split: test
line: 35
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

torch.manual_seed(4)
X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=4, stratify=y)
mu, sd = X_train.mean(0), X_train.std(0)
X_train = torch.tensor((X_train - mu) / sd).float()
X_test = torch.tensor((X_test - mu) / sd).float()
y_train, y_test = torch.tensor(y_train).float(), torch.tensor(y_test).float()

model = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
scaler = torch.amp.GradScaler("cpu")

for epoch in range(15):
    epoch_loss = 0.0
    for idx in torch.randperm(len(X_train)).split(20):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logit = model(X_train[idx]).squeeze(1)
        loss = F.binary_cross_entropy_with_logits(logit.float(), y_train[idx])
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        scaler.step(optimizer)
        scaler.update()
        epoch_loss += loss.item() * len(idx)
    with torch.no_grad():
        pred = model(X_test).squeeze(1) > 0
    print(f"epoch {epoch:2d} loss {epoch_loss / len(X_train):.4f} test acc {(pred == y_test.bool()).float().mean():.3f}")
