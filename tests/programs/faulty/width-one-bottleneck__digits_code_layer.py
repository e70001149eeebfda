"""Stacked dense network for digits with a compact code layer in the middle.

fault: width-one-bottleneck
also:
split: test
line: 16
"""
from collections import OrderedDict
import torch
from torch import nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(38)
torch.set_num_threads(1)
CODE = 1
X, y = load_digits(return_X_y=True)
Xa, Xb, ya, yb = train_test_split(X / 16.0, y, test_size=0.3, stratify=y, random_state=38)
Xa, Xb = torch.tensor(Xa, dtype=torch.float32), torch.tensor(Xb, dtype=torch.float32)
ya, yb = torch.tensor(ya), torch.tensor(yb)
net = nn.Sequential(OrderedDict([
    ("wide", nn.Linear(64, 96)), ("act1", nn.ReLU()),
    ("code", nn.Linear(96, CODE)), ("act2", nn.Tanh()),
    ("expand", nn.Linear(CODE, 48)), ("act3", nn.ReLU()),
    ("logits", nn.Linear(48, 10)),
]))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(20):
    for i in torch.randperm(len(Xa)).split(50):
        loss = nn.functional.cross_entropy(net(Xa[i]), ya[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            print(epoch + 1, f"{loss.item():.4f}", f"test {(net(Xb).argmax(1) == yb).float().mean():.4f}")
