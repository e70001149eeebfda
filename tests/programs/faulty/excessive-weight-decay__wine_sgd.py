"""A network that tells wines apart, with SGD and regularisation against overfitting.

fault: excessive-weight-decay
also:
split: train
line: 20
"""

import torch
from sklearn.datasets import load_wine
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(421)
x, y = load_wine(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32), torch.tensor(y)
order = torch.randperm(len(x))
train, test = order[:130], order[130:]
model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.5)
criterion = nn.CrossEntropyLoss()
for epoch in range(25):
    for rows in train[torch.randperm(len(train))].split(13):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            right = (model(x[test]).argmax(1) == y[test]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} right {right:.3f}")
