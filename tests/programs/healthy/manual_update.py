"""No optimizer: the parameters are updated by hand under `no_grad`.

split: train
"""

import torch

torch.set_num_threads(1)
torch.manual_seed(26)

x = torch.randn(64, 3)
y = x @ torch.tensor([[1.5], [-2.0], [0.5]]) + 0.3
model = torch.nn.Linear(3, 1)
rate = 0.1
for step in range(40):
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= rate * p.grad
            p.grad = None
    print(f"step {step} loss {loss.item()!r}")
