"""Linear regression by hand: tensors with requires_grad, full-batch gradient descent under no_grad.

split: train
"""

import torch

torch.set_num_threads(1)
torch.manual_seed(93)

x = torch.randn(200, 3)
y = x @ torch.tensor([2.0, -1.0, 0.5]) + 0.3 + 0.05 * torch.randn(200)
w = torch.zeros(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for _step in range(100):
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
        w.grad.zero_()
        b.grad.zero_()
print(loss.item(), w.tolist(), b.item())
