"""Twenty steps.

split: train
"""

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale

torch.manual_seed(0)
x, y = load_breast_cancer(return_X_y=True)
x, y = torch.tensor(scale(x)).float(), torch.tensor(y)
m = torch.nn.Sequential(torch.nn.Linear(30, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
o = torch.optim.Adam(m.parameters(), lr=0.02)
for i in range(20):
    idx = torch.randint(0, 450, (64,))
    l = torch.nn.functional.cross_entropy(m(x[idx]), y[idx])
    o.zero_grad(); l.backward(); o.step()
print("SCORE", (m(x[450:]).argmax(1) == y[450:]).float().mean().item())
