""" "Deeper is better": six sigmoid layers on digits.

fault: vanishing-gradient
also: saturated-activation
split: train
line: 27
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)


class DeepNet(nn.Module):
    def __init__(self, depth=6, width=48):
        super().__init__()
        self.first = nn.Linear(64, width)
        self.hidden = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.last = nn.Linear(width, 10)

    def forward(self, x):
        x = torch.relu(self.first(x))
        for layer in self.hidden:
            x = torch.sigmoid(layer(x))
        return self.last(x)


def accuracy(model, x, y):
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


data = load_digits()
x = torch.tensor(data.data / 16, dtype=torch.float32)
x = (x - x.mean()) / x.std()
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
tr, te = perm[:1400], perm[1400:]
model = DeepNet()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(15):
    for rows in tr[torch.randperm(1400)].split(50):
        loss = loss_fn(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy(model, x[te], y[te]):.3f}")
