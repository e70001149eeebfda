"""Ten hidden layers on a table, of bare tensors in a list.

fault: vanishing-gradient
split: train
line: 32
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.set_num_threads(1)
torch.manual_seed(0)
X, y = load_breast_cancer(return_X_y=True)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
sc = StandardScaler().fit(Xtr)
Xtr, Xte = (torch.tensor(sc.transform(a), dtype=torch.float32) for a in (Xtr, Xte))
ytr, yte = (torch.tensor(a, dtype=torch.float32) for a in (ytr, yte))

sizes = [30] + [40] * 10 + [1]
params = []
for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
    W = (torch.randn(fan_in, fan_out) * (2.0 / fan_in) ** 0.5).requires_grad_()
    b = torch.zeros(fan_out, requires_grad=True)
    params.append((W, b))


def forward(x):
    for W, b in params[:-1]:
        x = torch.sigmoid(x @ W + b)
    W, b = params[-1]
    return (x @ W + b).squeeze(1)


opt = torch.optim.SGD([p for pair in params for p in pair], lr=0.02, momentum=0.9)
for epoch in range(60):
    perm = torch.randperm(len(Xtr))
    for i in range(0, len(perm), 20):
        k = perm[i : i + 20]
        loss = F.binary_cross_entropy_with_logits(forward(Xtr[k]), ytr[k])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 10 == 9:
        with torch.no_grad():
            acc = ((forward(Xte) > 0).float() == yte).float().mean().item()
            tl = F.binary_cross_entropy_with_logits(forward(Xtr), ytr).item()
        print(f"epoch {epoch + 1} train loss {tl:.4f} test acc {acc:.3f}")
