"""A logistic regression with updates by hand.

split: test
"""

# Logistic regression + one hidden layer "from scratch": autograd only, no nn.Module, no optimizer.
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

torch.set_num_threads(1)
g = torch.Generator().manual_seed(10)

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=10, stratify=y)
X_train, X_test = torch.tensor(X_train).float(), torch.tensor(X_test).float()
y_train, y_test = torch.tensor(y_train).float(), torch.tensor(y_test).float()
mu, sigma = X_train.mean(0), X_train.std(0)
X_train, X_test = (X_train - mu) / sigma, (X_test - mu) / sigma

D, H = X_train.shape[1], 20
W1 = (torch.randn(D, H, generator=g) / D ** 0.5).requires_grad_()
b1 = torch.zeros(H, requires_grad=True)
w2 = (torch.randn(H, generator=g) / H ** 0.5).requires_grad_()
b2 = torch.zeros((), requires_grad=True)
params = [W1, b1, w2, b2]
velocity = [torch.zeros_like(p) for p in params]


def forward(x):
    return torch.tanh(x @ W1 + b1) @ w2 + b2


def bce(z, t):
    return (torch.clamp(z, min=0) - z * t + torch.log1p(torch.exp(-z.abs()))).mean()


lr, beta, l2 = 0.05, 0.9, 3e-3
for epoch in range(20):
    order = torch.randperm(len(X_train), generator=g)
    epoch_loss = 0.0
    for start in range(0, len(order), 32):
        idx = order[start:start + 32]
        loss = bce(forward(X_train[idx]), y_train[idx])
        reg = l2 * ((W1 ** 2).sum() + (w2 ** 2).sum())
        (loss + reg).backward()
        with torch.no_grad():
            for p, v in zip(params, velocity):
                v.mul_(beta).add_(p.grad)
                p -= lr * v
                p.grad = None
        epoch_loss += loss.item() * len(idx)
    if epoch % 5 == 4:
        with torch.no_grad():
            zt = forward(X_test)
            acc = ((zt > 0) == y_test.bool()).float().mean().item()
            tl = bce(zt, y_test).item()
        print(f"epoch {epoch + 1}: train {epoch_loss / len(order):.4f} test {tl:.4f} acc {acc:.4f}")
