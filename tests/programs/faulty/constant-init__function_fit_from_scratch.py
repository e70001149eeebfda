"""Fits a bumpy function with a two-layer net written with raw tensors.

fault: constant-init
also:
split: train
line: 19
"""
import torch

torch.manual_seed(2)
torch.set_num_threads(1)
x = torch.linspace(-3, 3, 400).unsqueeze(1)
f = torch.sin(2 * x) + 0.5 * x
y = f + 0.05 * torch.randn_like(x)
test_x = torch.rand(200, 1) * 6 - 3
test_y = torch.sin(2 * test_x) + 0.5 * test_x

H = 40
W1 = torch.full((1, H), 0.5)
b1 = torch.zeros(H)
W2 = torch.full((H, 1), 0.1)
b2 = torch.zeros(1)
theta = [W1, b1, W2, b2]
for p in theta:
    p.requires_grad_(True)
vel = [torch.zeros_like(p) for p in theta]

for it in range(4000):
    pred = torch.tanh(x @ W1 + b1) @ W2 + b2
    loss = ((pred - y) ** 2).mean()
    grads = torch.autograd.grad(loss, theta)
    with torch.no_grad():
        for p, g, v in zip(theta, grads, vel):
            v.mul_(0.9).add_(g)
            p.sub_(0.01 * v)
    if it % 1000 == 0:
        print("iteration", it, "mse", loss.item())
with torch.no_grad():
    e = (torch.tanh(test_x @ W1 + b1) @ W2 + b2 - test_y).pow(2).mean().sqrt()
print("test rmse", round(float(e), 4))
