"""Focal loss on unbalanced classes.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.set_num_threads(1)
torch.manual_seed(3)


class FocalLoss(nn.Module):
    def __init__(self, gamma=1.5):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        logp = F.log_softmax(logits, dim=-1).gather(1, target.unsqueeze(1)).squeeze(1)
        return -((1 - logp.exp()) ** self.gamma * logp).mean()


X, y = make_classification(n_samples=5000, n_features=16, n_informative=10, n_redundant=0, n_classes=3,
                           n_clusters_per_class=1, weights=[0.8, 0.15, 0.05], class_sep=1.6, flip_y=0.0, random_state=3)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
mean, std = X_tr.mean(0), X_tr.std(0)
X_tr = torch.tensor((X_tr - mean) / std, dtype=torch.float32)
X_te = torch.tensor((X_te - mean) / std, dtype=torch.float32)
y_tr, y_te = torch.tensor(y_tr), torch.tensor(y_te)

counts = torch.bincount(y_tr)
print("class counts", counts.tolist())
weights = (1.0 / counts.float().sqrt())[y_tr]
sampler = WeightedRandomSampler(weights, num_samples=len(y_tr), replacement=True)
loader = DataLoader(TensorDataset(X_tr, y_tr), batch_size=128, sampler=sampler)

model = nn.Sequential(
    nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.1),
    nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.1),
    nn.Linear(64, 3),
)
criterion = FocalLoss()
optimizer = torch.optim.RAdam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[8, 11], gamma=0.3)

for epoch in range(1, 13):
    model.train()
    losses = []
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    model.eval()
    with torch.no_grad():
        pred = model(X_te).argmax(1)
    bacc = balanced_accuracy_score(y_te.numpy(), pred.numpy())
    print(f"epoch {epoch:2d} focal {sum(losses) / len(losses):.4f} balanced acc {bacc:.3f}")
