"""A classifier of made-up rows that stops early and goes back to its best weights.

split: train
"""

import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(21)


def load():
    X, y = make_classification(n_samples=2600, n_features=30, n_informative=6, n_redundant=0, n_classes=2,
                               class_sep=1.5, flip_y=0.35, n_clusters_per_class=1, random_state=21)
    X_tr, X_rest, y_tr, y_rest = train_test_split(X, y, train_size=600, random_state=0, stratify=y)
    X_va, X_te, y_va, y_te = train_test_split(X_rest, y_rest, train_size=1000, random_state=0, stratify=y_rest)
    sc = StandardScaler().fit(X_tr)
    pack = lambda a, b: TensorDataset(torch.tensor(sc.transform(a), dtype=torch.float32), torch.tensor(b))
    return pack(X_tr, y_tr), pack(X_va, y_va), pack(X_te, y_te)


def evaluate(model, ds, criterion):
    model.eval()
    with torch.no_grad():
        x, y = ds.tensors
        out = model(x)
        return criterion(out, y).item(), (out.argmax(1) == y).float().mean().item()


class EarlyStopping:
    """Stops after `patience` epochs without a better validation loss."""

    def __init__(self, patience):
        self.patience = patience
        self.best_loss = float("inf")
        self.best_weights = None
        self.bad_epochs = 0

    def update(self, loss, model):
        if loss < self.best_loss:
            self.best_loss = loss
            self.best_weights = {k: v.clone() for k, v in model.state_dict().items()}
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience


def main():
    train, val, test = load()
    loader = DataLoader(train, batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 2))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    stopper = EarlyStopping(patience=30)

    for epoch in range(80):
        model.train()
        run = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            run += loss.item()
        vloss, vacc = evaluate(model, val, criterion)
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d} train {run / len(loader):.3f} val {vloss:.3f} acc {vacc:.3f}")
        if stopper.update(vloss, model):
            print("early stop at epoch", epoch)
            break

    model.load_state_dict(stopper.best_weights)
    tloss, tacc = evaluate(model, test, criterion)
    print(f"best validation loss {stopper.best_loss:.3f}; test loss {tloss:.3f}, test accuracy {tacc:.3f}")


main()
