"""Multi-label tagging: BCE per tag, F1 on held-out rows.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

SEED = 5
torch.manual_seed(SEED)
X, Y = make_multilabel_classification(n_samples=5000, n_features=40, n_classes=6, n_labels=2, length=150,
                                      allow_unlabeled=True, random_state=SEED)
X = np.log1p(X)
X_train, X_test, Y_train, Y_test = train_test_split(X, Y, test_size=0.2, random_state=SEED)
mean, std = X_train.mean(0), X_train.std(0) + 1e-6
X_train, X_test = (X_train - mean) / std, (X_test - mean) / std

tt = lambda a: torch.tensor(a, dtype=torch.float32)
train_loader = DataLoader(TensorDataset(tt(X_train), tt(Y_train)), batch_size=64, shuffle=True)
test_loader = DataLoader(TensorDataset(tt(X_test), tt(Y_test)), batch_size=500)


class Tagger(nn.Module):
    def __init__(self, n_in, n_tags):
        super().__init__()
        self.fc1 = nn.Linear(n_in, 64)
        self.bn = nn.BatchNorm1d(64)
        self.drop = nn.Dropout(0.2)
        self.fc2 = nn.Linear(64, n_tags)

    def forward(self, x):
        return self.fc2(self.drop(torch.relu(self.bn(self.fc1(x)))))


model = Tagger(40, 6)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=8, gamma=0.3)

for epoch in range(24):
    model.train()
    running = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    scheduler.step()

    model.eval()
    logits, truth, tl = [], [], 0.0
    with torch.no_grad():
        for x, y in test_loader:
            o = model(x)
            tl += criterion(o, y).item()
            logits.append(o), truth.append(y)
    pred = (torch.cat(logits) > 0).int().numpy()
    truth = torch.cat(truth).int().numpy()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} train {running / len(train_loader):.4f} test {tl / len(test_loader):.4f} "
              f"micro-F1 {f1_score(truth, pred, average='micro'):.4f} macro-F1 {f1_score(truth, pred, average='macro'):.4f}")
