"""MLP on the 8x8 digits, SGD with momentum, best-epoch selection on a validation part.

fault: summed-loss
also: learning-rate-too-high
split: test
line: 43
"""
import copy

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

CFG = dict(lr=0.05, momentum=0.9, batch_size=64, epochs=30, hidden=64, seed=0)


def get_data():
    x, y = load_digits(return_X_y=True)
    x = (x / 16.0).astype("float32")
    x_rest, x_test, y_rest, y_test = train_test_split(x, y, test_size=0.2, stratify=y, random_state=0)
    x_train, x_val, y_train, y_val = train_test_split(x_rest, y_rest, test_size=0.2, stratify=y_rest, random_state=0)
    to_ds = lambda a, b: TensorDataset(torch.from_numpy(a), torch.from_numpy(b))
    return to_ds(x_train, y_train), to_ds(x_val, y_val), to_ds(x_test, y_test)


def accuracy(model, ds):
    model.eval()
    x, y = ds.tensors
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(CFG["seed"])
    train_ds, val_ds, test_ds = get_data()
    loader = DataLoader(train_ds, batch_size=CFG["batch_size"], shuffle=True)
    model = nn.Sequential(
        nn.Linear(64, CFG["hidden"]), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(CFG["hidden"], CFG["hidden"]), nn.ReLU(),
        nn.Linear(CFG["hidden"], 10))
    criterion = nn.CrossEntropyLoss(reduction="sum")
    optimizer = torch.optim.SGD(model.parameters(), lr=CFG["lr"], momentum=CFG["momentum"], weight_decay=1e-4)

    best_acc, best_state = 0.0, copy.deepcopy(model.state_dict())
    for epoch in range(1, CFG["epochs"] + 1):
        model.train()
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
        val_acc = accuracy(model, val_ds)
        if val_acc > best_acc:
            best_acc, best_state = val_acc, copy.deepcopy(model.state_dict())
        if epoch % 5 == 0:
            print(f"epoch {epoch} last batch loss {loss.item():.4f} val acc {val_acc:.4f}")
    model.load_state_dict(best_state)
    print(f"test accuracy {accuracy(model, test_ds):.4f}")


if __name__ == "__main__":
    main()
