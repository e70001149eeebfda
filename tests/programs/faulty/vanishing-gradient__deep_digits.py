"""Digits through many layers.

fault: vanishing-gradient
also: 
split: train
line: 36
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.set_num_threads(1)
torch.manual_seed(1234)

digits = load_digits()
X_train, X_test, y_train, y_test = train_test_split(
    digits.data, digits.target, test_size=0.25, stratify=digits.target, random_state=1)
scaler = StandardScaler().fit(X_train)
X_train = torch.tensor(scaler.transform(X_train), dtype=torch.float32)
X_test = torch.tensor(scaler.transform(X_test), dtype=torch.float32)
y_train, y_test = torch.tensor(y_train), torch.tensor(y_test)


def make_mlp(sizes, activation):
    layers = []
    for i in range(len(sizes) - 2):
        layers += [nn.Linear(sizes[i], sizes[i + 1]), activation()]
    layers.append(nn.Linear(sizes[-2], sizes[-1]))
    return nn.Sequential(*layers)


depth, width = 8, 48
net = make_mlp([64] + [width] * depth + [10], nn.Sigmoid)
for m in net:
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight, gain=nn.init.calculate_gain("sigmoid"))
        nn.init.zeros_(m.bias)

opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(15):
    net.train()
    perm = torch.randperm(len(X_train))
    for i in range(0, len(perm), 64):
        batch = perm[i:i + 64]
        opt.zero_grad()
        loss = loss_fn(net(X_train[batch]), y_train[batch])
        loss.backward()
        opt.step()
    if epoch % 3 == 2:
        net.eval()
        with torch.no_grad():
            tr = loss_fn(net(X_train), y_train).item()
            te = loss_fn(net(X_test), y_test).item()
            acc = (net(X_test).argmax(1) == y_test).float().mean().item()
        print(f"epoch {epoch + 1:3d}  train loss {tr:.4f}  test loss {te:.4f}  test acc {acc:.3f}")
