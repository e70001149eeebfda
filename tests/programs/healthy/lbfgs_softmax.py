"""Multinomial logistic regression on digits fitted with full-batch LBFGS.

split: test
"""
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(1)
torch.set_num_threads(1)
X, y = load_digits(return_X_y=True)
Xtr, Xte, ytr, yte = train_test_split(X / 16.0, y, random_state=3, test_size=0.3, stratify=y)
Xtr, Xte = map(lambda a: torch.tensor(a, dtype=torch.float64), (Xtr, Xte))
ytr, yte = torch.tensor(ytr), torch.tensor(yte)

W = torch.zeros(64, 10, dtype=torch.float64, requires_grad=True)
b = torch.zeros(10, dtype=torch.float64, requires_grad=True)
opt = torch.optim.LBFGS([W, b], lr=1.0, max_iter=20, history_size=10, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    z = Xtr @ W + b
    loss = (torch.logsumexp(z, 1) - z.gather(1, ytr[:, None]).squeeze(1)).mean() + 1e-3 * W.pow(2).sum()
    loss.backward()
    return loss


for outer in range(8):
    l = opt.step(closure)
    with torch.no_grad():
        acc = ((Xte @ W + b).argmax(1) == yte).double().mean()
    print(f"outer {outer} objective {l.item():.5f} test acc {acc:.4f}")
