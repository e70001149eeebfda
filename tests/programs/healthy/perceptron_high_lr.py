"""Logistic regression on breast cancer by full-batch gradient descent with a big step.

split: test
"""
import torch
from sklearn.datasets import load_breast_cancer

torch.manual_seed(0)
torch.set_num_threads(1)
X, y = load_breast_cancer(return_X_y=True)
p = torch.randperm(len(X), generator=torch.Generator().manual_seed(1))
X, y = torch.tensor(X)[p], torch.tensor(y)[p].double()
X = (X - X[:400].mean(0)) / X[:400].std(0)
w = torch.zeros(30, dtype=torch.double, requires_grad=True)
b = torch.zeros((), dtype=torch.double, requires_grad=True)
sgd = torch.optim.SGD([w, b], lr=0.5)
for it in range(600):
    z = X[:400] @ w + b
    loss = torch.nn.functional.softplus(z).mean() - (z * y[:400]).mean() + 1e-3 * w @ w
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    if it % 100 == 99:
        with torch.no_grad():
            acc = ((X[400:] @ w + b > 0) == (y[400:] > 0.5)).double().mean()
        print(f"iteration {it + 1}: loss {loss.item():.5f} accuracy {acc:.4f}")
