"""Linear probe on a frozen backbone that was first trained on other digit classes.

split: test
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.manual_seed(8)
torch.set_num_threads(1)
X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32).reshape(-1, 1, 8, 8).div(16).sub(0.3).div(0.37)
y = torch.tensor(y)
src, dst = y < 6, y >= 6

backbone = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(),
)


def train(modules, params, X, y, epochs, lr, mode):
    opt = torch.optim.Adam(params, lr=lr)
    net = nn.Sequential(*modules)
    for ep in range(epochs):
        mode()
        for i in torch.randperm(len(X)).split(32):
            loss = nn.functional.cross_entropy(net(X[i]), y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


head_src = nn.Linear(512, 6)
train([backbone, head_src], [*backbone.parameters(), *head_src.parameters()], X[src], y[src], 5, 2e-3, backbone.train)

for p in backbone.parameters():
    p.requires_grad = False
backbone.eval()
Xd, yd = X[dst], y[dst] - 6
perm = torch.randperm(len(Xd))
tr, te = perm[:120], perm[120:]
head = nn.Linear(512, 4)
last = train([backbone, head], head.parameters(), Xd[tr], yd[tr], 25, 5e-3, backbone.eval)
with torch.no_grad():
    acc = (head(backbone(Xd[te])).argmax(1) == yd[te]).float().mean()
print(f"probe loss {last:.4f}  accuracy on unseen digits of new classes {acc:.4f}")
