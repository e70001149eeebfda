"""Digits with a regularised network, ported from an old TensorFlow script.

fault: excessive-dropout
also:
split: test
line: 21
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(60)
keep_prob = 0.95
data = load_digits()
x = torch.tensor(data.data / 16, dtype=torch.float32)
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
train, test = perm[:1400], perm[1400:]
drop = nn.Dropout(keep_prob)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), drop, nn.Linear(64, 64), nn.ReLU(), drop, nn.Linear(64, 10))
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(12):
    net.train()
    for rows in train[torch.randperm(1400)].split(50):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        accuracy = (net(x[test]).argmax(1) == y[test]).float().mean()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")
