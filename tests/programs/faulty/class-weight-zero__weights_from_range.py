"""Classes of which some are rare.

fault: class-weight-zero
also: 
split: train
line: 30
"""

import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.metrics import classification_report, balanced_accuracy_score
from sklearn.model_selection import train_test_split

torch.manual_seed(12)
torch.set_num_threads(1)

X, y = make_classification(n_samples=4000, n_features=16, n_informative=10, n_redundant=2, n_classes=4,
                           n_clusters_per_class=1, weights=[0.5, 0.25, 0.15, 0.10], class_sep=1.6,
                           flip_y=0.01, random_state=12)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
m, s = Xtr.mean(0), Xtr.std(0)
Xtr, Xte = [torch.tensor((a - m) / s, dtype=torch.float32) for a in (Xtr, Xte)]
ytr, yte = torch.tensor(ytr), torch.tensor(yte)


def class_weights(labels, k):
    """Rare classes count more."""
    freq = torch.bincount(labels, minlength=k).float() / len(labels)
    w = (freq.max() - freq) / (freq.max() - freq.min())
    return w / w.mean()


w = class_weights(ytr, 4)
print("class weights:", [round(v, 3) for v in w.tolist()])

model = nn.Sequential(nn.Linear(16, 64), nn.ELU(), nn.Linear(64, 32), nn.ELU(), nn.Linear(32, 4))
criterion = nn.CrossEntropyLoss(weight=w)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

ds = torch.utils.data.TensorDataset(Xtr, ytr)
loader = torch.utils.data.DataLoader(ds, batch_size=100, shuffle=True)
for epoch in range(20):
    model.train()
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if (epoch + 1) % 4 == 0:
        print(f"epoch {epoch + 1}: weighted loss {total / len(loader):.4f}")

model.eval()
with torch.no_grad():
    pred = model(Xte).argmax(1)
print(classification_report(yte, pred, zero_division=0, digits=3))
print("balanced accuracy", round(balanced_accuracy_score(yte, pred), 3))
