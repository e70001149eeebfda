"""Rare fraud with a weight for the positive class, evaluated at once.

split: train
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


class FraudNet(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)


def prepare():
    X, y = make_classification(n_samples=6000, n_features=12, n_informative=6, weights=[0.985],
                               class_sep=0.9, flip_y=0.0, random_state=5)
    Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.3, stratify=y, random_state=5)
    s = StandardScaler().fit(Xtr)
    t = lambda a: torch.tensor(a, dtype=torch.float32)
    return t(s.transform(Xtr)), t(s.transform(Xte)), t(ytr), t(yte)


def metrics(model, X, y):
    model.eval()
    with torch.no_grad():
        pred = (model(X) > 0).float()
    tp = (pred * y).sum().item()
    return (pred == y).float().mean().item(), tp / y.sum().item()


if __name__ == "__main__":
    torch.manual_seed(5)
    torch.set_num_threads(1)
    Xtr, Xte, ytr, yte = prepare()
    loader = DataLoader(TensorDataset(Xtr, ytr), batch_size=128, shuffle=True)
    model = FraudNet(Xtr.shape[1])
    criterion = nn.BCEWithLogitsLoss(pos_weight=(ytr == 0).sum() / (ytr == 1).sum())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.5)
    for epoch in range(12):
        model.train()
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
        acc, recall = metrics(model, Xte, yte)
        print(f"epoch {epoch + 1}: loss {loss.item():.4f} accuracy {acc:.4f} fraud recall {recall:.3f}")
