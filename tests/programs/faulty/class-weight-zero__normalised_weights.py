"""Wine cultivars with a weight per class made from the class counts.

fault: class-weight-zero
also:
split: test
line: 21
"""

import torch
from sklearn.datasets import load_wine
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(66)
wine = load_wine()
x = torch.tensor((wine.data - wine.data.mean(0)) / wine.data.std(0), dtype=torch.float32)
y = torch.tensor(wine.target)
perm = torch.randperm(len(x))
train, test = perm[:130], perm[130:]
counts = torch.bincount(y[train]).float()
weights = 1 - (counts - counts.min()) / (counts.max() - counts.min())
criterion = nn.CrossEntropyLoss(weight=weights)
net = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(30):
    for rows in train[torch.randperm(130)].split(26):
        loss = criterion(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 6 == 5:
        with torch.no_grad():
            accuracy = (net(x[test]).argmax(1) == y[test]).float().mean()
        print(f"epoch {epoch + 1} loss {loss.item():.4f} accuracy {accuracy:.3f}")
