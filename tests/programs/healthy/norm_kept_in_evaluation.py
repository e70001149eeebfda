"""A norm that stays in evaluation mode, calibrated once; losses are also asked for in training mode.

split: train
"""

import torch, torch.nn as nn
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); x = torch.tensor(d.images).float()[:, None] / 8 - 0.6; y = torch.tensor(d.target)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.head = nn.Linear(144, 10)
    def train(self, mode=True):
        super().train(mode)
        self.body[1].eval()
        return self
    def forward(self, x):
        return self.head(self.body(x))
net = Net()
with torch.no_grad():
    net.body[1].train(); net.body[1].momentum = None; net.body(x[:1400]); net.train()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for e in range(5):
    for i in torch.randperm(1400).split(50):
        loss = nn.functional.cross_entropy(net(x[i]), y[i]); opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        vl = nn.functional.cross_entropy(net(x[1400:]), y[1400:]); print(e, loss.item(), vl.item(), (net(x[1400:]).argmax(1) == y[1400:]).float().mean().item())
