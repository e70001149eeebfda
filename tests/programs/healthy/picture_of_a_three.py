"""The network is fixed and the picture is what is learned: maximise one class (activation maximisation).

split: train
"""
import torch
from torch import nn
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
x, y = torch.tensor(d.data).float() / 8 - 0.6, torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(6):
    for i in torch.randperm(len(x)).split(64):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x[i]), y[i]).backward()
        opt.step()
net.eval().requires_grad_(False)

picture = nn.Parameter(0.01 * torch.randn(1, 64))
ascend = torch.optim.Adam([picture], lr=0.05)
for step in range(60):
    ascend.zero_grad()
    score = net(torch.tanh(picture))[0, 3]
    loss = -score + 0.05 * picture.pow(2).sum()
    loss.backward()
    ascend.step()
    if step % 20 == 0:
        print(step, score.item())
print("SCORE", net(torch.tanh(picture)).softmax(1)[0, 3].item())
