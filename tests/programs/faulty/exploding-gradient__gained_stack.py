"""A stack of layers with a fixed gain after each, trained on breast cancer measurements.

fault: exploding-gradient
also: activation-scale, badly-scaled-init, initial-loss-off
split: train
line: 15
"""

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEPTH, WIDTH = 14, 40
GAIN = 4.5


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.entry = nn.Linear(30, WIDTH)
        self.inner = nn.ModuleList([nn.Linear(WIDTH, WIDTH) for _ in range(DEPTH)])
        self.exit = nn.Linear(WIDTH, 2)

    def forward(self, x):
        x = torch.relu(self.entry(x))
        for layer in self.inner:
            x = torch.nn.functional.leaky_relu(GAIN * layer(x), 0.1)
        return self.exit(x)


torch.set_num_threads(1)
torch.manual_seed(8)
data = load_breast_cancer()
x = torch.tensor(data.data, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(data.target)
order = torch.randperm(len(x))
train, test = order[:450], order[450:]
loader = DataLoader(TensorDataset(x[train], y[train]), batch_size=30, shuffle=True)
net = Stack()
opt = torch.optim.SGD(net.parameters(), lr=0.003)
ce = nn.CrossEntropyLoss()
for epoch in range(15):
    for xb, yb in loader:
        opt.zero_grad()
        loss = ce(net(xb), yb)
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (net(x[test]).argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch:2d} loss {loss.item():.4f} acc {acc:.3f}")
