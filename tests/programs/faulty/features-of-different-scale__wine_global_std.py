"""Wine measurements from sklearn fed into a one-hidden-layer network.

fault: features-of-different-scale
also: input-not-scaled
split: train
line: 19
"""

import torch
from sklearn.datasets import load_wine
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)

data = load_wine()
X = torch.tensor(data.data, dtype=torch.float32)
y = torch.tensor(data.target)
X = X / X.std()
perm = torch.randperm(len(X))
train, test = perm[:130], perm[130:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(13, 20)
        self.b = nn.Linear(20, 3)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(40):
    net.train()
    for i in train[torch.randperm(len(train))].split(13):
        optimizer.zero_grad()
        loss = loss_fn(net(X[i]), y[i])
        loss.backward()
        optimizer.step()
    if epoch % 10 == 9:
        net.eval()
        with torch.no_grad():
            print(epoch + 1, loss.item(), (net(X[test]).argmax(1) == y[test]).float().mean().item())
