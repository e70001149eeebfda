"""Tags of articles, several for each.

split: test
"""

import torch
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, n_features, n_tags, hidden=96, p=0.1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, hidden),
            nn.BatchNorm1d(hidden),
            nn.ReLU(inplace=True),
            nn.Dropout(p),
            nn.Linear(hidden, hidden),
            nn.ReLU(inplace=True),
        )
        self.tags = nn.Linear(hidden, n_tags)

    def forward(self, x):
        return self.tags(self.body(x))


def load(seed=13):
    X, Y = make_multilabel_classification(
        n_samples=2400, n_features=40, n_classes=12, n_labels=2, length=60, random_state=seed
    )
    Xtr, Xte, Ytr, Yte = train_test_split(X, Y, test_size=0.25, random_state=seed)
    sc = StandardScaler().fit(Xtr)
    t = lambda a: torch.tensor(a, dtype=torch.float32)
    return TensorDataset(t(sc.transform(Xtr)), t(Ytr)), TensorDataset(t(sc.transform(Xte)), t(Yte))


def micro_f1(model, ds, threshold=0.5):
    model.eval()
    X, Y = ds.tensors
    with torch.no_grad():
        pred = (torch.sigmoid(model(X)) > threshold).int()
    return f1_score(Y.int().numpy(), pred.numpy(), average="micro", zero_division=0)


def train(epochs=15):
    torch.manual_seed(13)
    train_ds, test_ds = load()
    loader = DataLoader(train_ds, batch_size=60, shuffle=True)
    model = Tagger(40, 12)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    for e in range(epochs):
        model.train()
        s = 0.0
        for X, Y in loader:
            loss = criterion(model(X), Y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            s += loss.item()
        print("epoch %2d | bce %.4f | test micro-F1 %.3f" % (e + 1, s / len(loader), micro_f1(model, test_ds)))
    return model


if __name__ == "__main__":
    train()
