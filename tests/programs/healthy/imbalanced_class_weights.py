"""Rare positives (6 %), handled by class weights; judged by ROC-AUC and balanced accuracy.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.utils.class_weight import compute_class_weight

torch.manual_seed(31)
X, y = make_classification(6000, n_features=15, n_informative=8, n_redundant=2, n_clusters_per_class=1,
                           weights=[0.94], class_sep=1.6, flip_y=0.004, random_state=31)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=31)
scaler = StandardScaler()
X_train = torch.tensor(scaler.fit_transform(X_train), dtype=torch.float32)
X_test = torch.tensor(scaler.transform(X_test), dtype=torch.float32)
weights = compute_class_weight("balanced", classes=np.array([0, 1]), y=y_train)
y_train_t = torch.tensor(y_train)

model = nn.Sequential(nn.Linear(15, 24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 2))
criterion = nn.CrossEntropyLoss(weight=torch.tensor(weights, dtype=torch.float32))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
EPOCHS = 25
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)

for epoch in range(EPOCHS):
    model.train()
    losses = []
    for idx in torch.randperm(len(X_train)).split(128):
        optimizer.zero_grad()
        loss = criterion(model(X_train[idx]), y_train_t[idx])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    if epoch % 4 == 0 or epoch == EPOCHS - 1:
        model.eval()
        with torch.no_grad():
            logits = model(X_test)
            vloss = criterion(logits, torch.tensor(y_test)).item()
            p = logits.softmax(1)[:, 1].numpy()
        print(f"epoch {epoch:2d} train {np.mean(losses):.4f} test {vloss:.4f} AUC {roc_auc_score(y_test, p):.4f} "
              f"AP {average_precision_score(y_test, p):.4f} balanced acc {balanced_accuracy_score(y_test, p > 0.5):.4f}")
