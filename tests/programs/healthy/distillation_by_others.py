"""A student that learns from a teacher.

split: test
"""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


def mlp(*sizes, dropout=0.0):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.BatchNorm1d(b), nn.ReLU(), nn.Dropout(dropout)]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


def accuracy(model, x, y):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train(was_training)
    return acc


def fit(model, x, y, loss_fn, epochs, lr, batch, tag, x_test, y_test):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(1, epochs + 1):
        model.train()
        total, n = 0.0, 0
        order = torch.randperm(len(x))
        for idx in order[: len(order) // batch * batch].split(batch):
            opt.zero_grad()
            loss = loss_fn(model(x[idx]), x[idx], y[idx])
            loss.backward()
            opt.step()
            total += loss.item()
            n += 1
        if epoch % 5 == 0:
            print(f"{tag} epoch {epoch} loss {total / n:.4f} test acc {accuracy(model, x_test, y_test):.4f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--temperature", type=float, default=3.0)
    ap.add_argument("--alpha", type=float, default=0.7)
    ap.add_argument("--seed", type=int, default=10)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)

    d = load_digits()
    order = torch.randperm(len(d.target))
    x = torch.tensor(d.data, dtype=torch.float32)[order] / 16.0 - 0.305
    y = torch.tensor(d.target)[order]
    x_tr, y_tr, x_te, y_te = x[:1300], y[:1300], x[1300:], y[1300:]

    teacher = mlp(64, 128, 128, 10, dropout=0.2)
    fit(teacher, x_tr, y_tr, lambda out, xb, yb: F.cross_entropy(out, yb), 15, 2e-3, 50, "teacher", x_te, y_te)

    teacher.eval()
    teacher.requires_grad_(False)
    t = args.temperature

    def distill(out, xb, yb):
        with torch.no_grad():
            soft = F.log_softmax(teacher(xb) / t, dim=1)
        kd = F.kl_div(F.log_softmax(out / t, dim=1), soft, reduction="batchmean", log_target=True) * t * t
        return args.alpha * kd + (1 - args.alpha) * F.cross_entropy(out, yb)

    student = mlp(64, 24, 10)
    fit(student, x_tr, y_tr, distill, 20, 5e-3, 50, "student", x_te, y_te)


if __name__ == "__main__":
    main()
