"""Multinomial logistic regression with L2, full batch, by LBFGS with strong Wolfe line search.

split: test
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

torch.manual_seed(0)


def standardise(a, b):
    m, s = a.mean(0), a.std(0)
    s = torch.where(s < 1e-8, torch.ones_like(s), s)
    return (a - m) / s, (b - m) / s


def run(name, bunch, l2):
    X = torch.tensor(bunch.data, dtype=torch.float64)
    y = torch.tensor(bunch.target)
    i, j = train_test_split(range(len(X)), test_size=0.3, random_state=0, stratify=bunch.target)
    Xtr, Xte = standardise(X[i], X[j])
    ytr, yte = y[i], y[j]
    C = int(y.max()) + 1
    W = torch.zeros(X.shape[1], C, dtype=torch.float64, requires_grad=True)
    b = torch.zeros(C, dtype=torch.float64, requires_grad=True)
    opt = torch.optim.LBFGS([W, b], lr=1.0, max_iter=10, history_size=10, line_search_fn="strong_wolfe")

    def objective():
        return F.cross_entropy(Xtr @ W + b, ytr) + l2 / 2 * W.pow(2).sum()

    def closure():
        opt.zero_grad()
        loss = objective()
        loss.backward()
        return loss

    for outer in range(15):
        loss = opt.step(closure)
        g = max(W.grad.abs().max().item(), b.grad.abs().max().item())
        print(f"{name} outer {outer:2d} objective {loss.item():.6f} grad max {g:.2e}")
        if g < 1e-7:
            break
    with torch.no_grad():
        tr = ((Xtr @ W + b).argmax(1) == ytr).double().mean().item()
        te = ((Xte @ W + b).argmax(1) == yte).double().mean().item()
    ref = LogisticRegression(C=1 / (l2 * len(ytr)), max_iter=5000, tol=1e-8).fit(Xtr.numpy(), ytr.numpy())
    print(f"{name}: train acc {tr:.4f} test acc {te:.4f} (sklearn {ref.score(Xte.numpy(), yte.numpy()):.4f})")


run("digits", load_digits(), 1e-2)
run("wine", load_wine(), 1e-2)
