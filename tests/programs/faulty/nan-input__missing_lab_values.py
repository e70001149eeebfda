"""Cancer table with some laboratory values not recorded.

fault: nan-input
also: non-finite-value
split: test
line: 22
"""

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(46)
rng = np.random.default_rng(46)

data = load_breast_cancer()
table = data.data.copy()
table[rng.random(table.shape) < 0.002] = np.nan
table = (table - np.nanmean(table, 0)) / np.nanstd(table, 0)
x = torch.tensor(table, dtype=torch.float32)
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
train, test = perm[:420], perm[420:]
model = nn.Sequential(nn.Linear(30, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(12):
    for rows in train[torch.randperm(420)].split(30):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        print(epoch, loss.item(), (model(x[test]).argmax(1) == y[test]).float().mean().item())
