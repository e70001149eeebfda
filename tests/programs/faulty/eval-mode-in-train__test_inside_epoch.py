"""Digits by a stack of convolution blocks with batch norm.

fault: eval-mode-in-train
also:
split: train
line: 37
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(44)
data = load_digits()
x = torch.tensor(data.data, dtype=torch.float32).reshape(-1, 1, 8, 8)
x = (x - 5) / 6
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
train, test = perm[:1400], perm[1400:]


def block(n_in, n_out):
    return nn.Sequential(nn.Conv2d(n_in, n_out, 3, padding=1, bias=False), nn.BatchNorm2d(n_out), nn.ReLU())


net = nn.Sequential(
    *[block(1 if i == 0 else 8, 8) for i in range(9)],
    nn.AvgPool2d(2),
    nn.Flatten(),
    nn.Linear(128, 10),
)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)


def evaluate():
    net.eval()
    with torch.no_grad():
        return (net(x[test]).argmax(1) == y[test]).float().mean().item()


net.train()
print(f"untrained: {evaluate():.3f}")
for epoch in range(4):
    for rows in train[torch.randperm(1400)].split(50):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f} accuracy {evaluate():.3f}")
