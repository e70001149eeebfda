"""A network that sorts wines into three cultivars.

fault: step-missing
also:
split: train
line: 34
"""

import torch
from sklearn.datasets import load_wine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(6)

wine = load_wine()
x = torch.tensor(wine.data, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(wine.target)
train_set, val_set = random_split(TensorDataset(x, y), [130, 48])
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
val_loader = DataLoader(val_set, batch_size=48)

net = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
loss_fn = nn.CrossEntropyLoss()
optim = torch.optim.RMSprop(net.parameters(), lr=1e-3)

for epoch in range(25):
    net.train()
    for inputs, targets in train_loader:
        optim.zero_grad()
        loss = loss_fn(net(inputs), targets)
        loss.backward()
    if epoch % 4 == 0:
        net.eval()
        with torch.no_grad():
            hits = sum((net(a).argmax(1) == b).sum().item() for a, b in val_loader)
        print("epoch", epoch, "loss", round(loss.item(), 4), "val acc", round(hits / len(val_set), 3))
