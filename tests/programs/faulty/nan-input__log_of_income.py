"""A regression of the disease progression in the diabetes data, with a logarithm as an extra feature.

fault: nan-input
also:
split: train
line: 20
"""

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(203)
np.seterr(all="ignore")

table, progression = load_diabetes(return_X_y=True)
table = table * 21
table = np.hstack([table, np.log(table[:, 2:3] + 1.5)])
x = torch.tensor(table, dtype=torch.float32)
y = torch.tensor((progression - progression.mean()) / progression.std(), dtype=torch.float32).unsqueeze(1)
order = torch.randperm(len(x))
x_train, y_train, x_test, y_test = x[order[:340]], y[order[:340]], x[order[340:]], y[order[340:]]

model = nn.Sequential(nn.Linear(11, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-3)
for epoch in range(30):
    for rows in torch.randperm(len(x_train)).split(20):
        optimizer.zero_grad()
        loss = ((model(x_train[rows]) - y_train[rows]) ** 2).mean()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            error = ((model(x_test) - y_test) ** 2).mean().item()
        print(f"epoch {epoch} train {loss.item():.4f} test {error:.4f}")
