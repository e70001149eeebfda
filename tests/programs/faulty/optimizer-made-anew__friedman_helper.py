"""A regression of noisy values whose training step is a function that does all it needs by itself.

fault: optimizer-made-anew
split: train
line: 17
"""

import torch
from sklearn.datasets import make_friedman1
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)


def train_step(net, inputs, targets):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.0005, momentum=0.95)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


x, t = make_friedman1(2000, 10, noise=0.5, random_state=0)
x = torch.tensor((x - x.mean(0)) / x.std(0)).float()
t = torch.tensor((t - t.mean()) / t.std()).float().unsqueeze(1)
net = nn.Sequential(nn.Linear(10, 64), nn.Tanh(), nn.Linear(64, 1))
for epoch in range(10):
    losses = [train_step(net, x[rows], t[rows]) for rows in torch.randperm(1600).split(32)]
    with torch.no_grad():
        print(epoch, sum(losses) / len(losses), nn.functional.mse_loss(net(x[1600:]), t[1600:]).item())
