"""Pseudo-labelling: small labelled set, confident predictions are added round by round.

split: test
"""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.set_num_threads(1)
torch.manual_seed(29)

X, y = load_digits(return_X_y=True)
Xtr, Xte, ytr, yte = train_test_split(X / 16.0, y, test_size=0.3, stratify=y, random_state=29)
Xl, Xu, yl, _ = train_test_split(Xtr, ytr, train_size=150, stratify=ytr, random_state=29)
mean = Xtr.mean()
prep = lambda a: torch.tensor((a - mean) / 0.37, dtype=torch.float32)
Xl, Xu, Xte = prep(Xl), prep(Xu), prep(Xte)
yl, yte = torch.tensor(yl), torch.tensor(yte)


def new_model():
    return nn.Sequential(nn.Linear(64, 100), nn.BatchNorm1d(100), nn.ReLU(), nn.Dropout(0.5), nn.Linear(100, 10))


def train(x, y, epochs):
    model = new_model()
    opt = optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-4)
    freq = torch.bincount(y, minlength=10).float()
    sampler = WeightedRandomSampler(1.0 / freq[y], num_samples=max(len(y), 320), replacement=True)
    loader = DataLoader(TensorDataset(x, y), batch_size=32, sampler=sampler, drop_last=True)
    for _ in range(epochs):
        model.train()
        tot = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            opt.step()
            tot += loss.item()
    return model.eval(), tot / len(loader)


x, t = Xl, yl
for rnd in range(4):
    model, final_loss = train(x, t, epochs=10)
    with torch.no_grad():
        acc = (model(Xte).argmax(1) == yte).float().mean().item()
        conf, guess = model(Xu).softmax(1).max(1)
    print(f"round {rnd}: {len(x)} rows, last epoch loss {final_loss:.4f}, test accuracy {acc:.4f}")
    sure = conf > 0.95
    x, t = torch.cat([Xl, Xu[sure]]), torch.cat([yl, guess[sure]])

xb, yb = next(iter(DataLoader(TensorDataset(Xte, yte), batch_size=8, shuffle=True)))
with torch.no_grad():
    print("eight examples:", model(xb).argmax(1).tolist(), yb.tolist())
