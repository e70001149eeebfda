"""A regression of disease progression with Adam, batches drawn by hand and the error written out.

fault: learning-rate-too-high
also:
split: train
line: 23
"""

import torch
from sklearn.datasets import load_diabetes
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(402)

x, y = (torch.tensor(a, dtype=torch.float32) for a in load_diabetes(return_X_y=True, scaled=True))
x = (x - x.mean(0)) / x.std(0)
y = (y - y.mean()) / y.std()
order = torch.randperm(len(x))
train, test = order[:340], order[340:]

net = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.6, weight_decay=1e-4)

for epoch in range(15):
    total = 0.0
    for rows in train[torch.randperm(len(train))].split(20):
        error = net(x[rows]).squeeze(1) - y[rows]
        loss = (error**2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(rows)
    with torch.no_grad():
        test_error = ((net(x[test]).squeeze(1) - y[test]) ** 2).mean()
    print(f"epoch {epoch}: train {total / len(train):.3f} test {test_error:.3f}")
