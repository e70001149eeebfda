"""A checkerboard and a deep network.

fault: vanishing-gradient
also: saturated-activation
split: test
line: 23, 25, 48, 57
"""

import torch
from torch import nn, optim

torch.manual_seed(8)


def make_data(n):
    x = torch.rand(n, 2) * 2 - 1
    cell = torch.floor((x + 1) * 1.5).long()
    y = (cell.sum(dim=1) % 2).float()
    return x, y


def build_mlp(in_dim, width, depth, activation):
    layers = [nn.Linear(in_dim, width), activation()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), activation()]
    layers.append(nn.Linear(width, 1))
    return nn.Sequential(*layers)


def iterate(x, y, size):
    order = torch.randperm(x.size(0))
    for chunk in order.split(size):
        yield x[chunk], y[chunk]


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        logits = model(x).squeeze(1)
        acc = ((logits > 0) == (y > 0.5)).float().mean()
        loss = nn.functional.binary_cross_entropy_with_logits(logits, y)
    return loss.item(), acc.item()


config = {
    "width": 48,
    "depth": 8,
    "activation": nn.Sigmoid,
    "lr": 1e-3,
    "batch": 64,
    "epochs": 28,
}

x_train, y_train = make_data(3000)
x_test, y_test = make_data(1000)

net = build_mlp(2, config["width"], config["depth"], config["activation"])
opt = optim.Adam(net.parameters(), lr=config["lr"])
sched = optim.lr_scheduler.MultiStepLR(opt, milestones=[20], gamma=0.2)

for epoch in range(1, config["epochs"] + 1):
    net.train()
    for xb, yb in iterate(x_train, y_train, config["batch"]):
        loss = nn.functional.binary_cross_entropy_with_logits(net(xb).squeeze(1), yb)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    sched.step()
    if epoch % 4 == 0:
        test_loss, test_acc = evaluate(net, x_test, y_test)
        print(f"{epoch:03d} lr={sched.get_last_lr()[0]:.5f} test_loss={test_loss:.4f} test_acc={test_acc:.4f}")

print(f"result: {evaluate(net, x_test, y_test)[1]:.4f}")
