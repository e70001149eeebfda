"""A deep network on tabular data.

fault: vanishing-gradient
also: saturated-activation
split: test
line: 24
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(123)

DEPTH = 6
WIDTH = 64


def make_mlp(n_in, n_out, depth=DEPTH, width=WIDTH):
    layers = [nn.Linear(n_in, width), nn.Sigmoid()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.Sigmoid()]
    layers.append(nn.Linear(width, n_out))
    return nn.Sequential(*layers)


def loaders():
    X, y = load_digits(return_X_y=True)
    X = torch.tensor(X, dtype=torch.float32)
    X = (X - X.mean()) / X.std()
    ds = TensorDataset(X, torch.tensor(y))
    tr, va = random_split(ds, [1400, len(ds) - 1400])
    return DataLoader(tr, batch_size=50, shuffle=True), DataLoader(va, batch_size=200)


def run_epoch(model, loader, loss_fn, opt=None):
    training = opt is not None
    model.train(training)
    tot, correct, n = 0.0, 0, 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            out = model(x)
            loss = loss_fn(out, y)
            if training:
                opt.zero_grad()
                loss.backward()
                opt.step()
            tot += loss.item() * len(x)
            correct += (out.argmax(-1) == y).sum().item()
            n += len(x)
    return tot / n, correct / n


train, valid = loaders()
model = make_mlp(64, 10)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(18):
    tl, ta = run_epoch(model, train, loss_fn, opt)
    vl, va = run_epoch(model, valid, loss_fn)
    if epoch % 3 == 2:
        print(f"{epoch + 1:>2} | train {tl:.3f} {ta:.3f} | valid {vl:.3f} {va:.3f}")
