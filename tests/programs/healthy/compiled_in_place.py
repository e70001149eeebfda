"""A model compiled in place with `model.compile()`: same object, same names, compiled forward.

split: train
"""

import torch


class Regressor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(6, 12)
        self.outer = torch.nn.Linear(12, 1)

    def forward(self, x):
        return self.outer(torch.sigmoid(self.inner(x)))


torch.set_num_threads(1)
torch.manual_seed(15)
model = Regressor()
model.compile(backend="aot_eager")
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
inputs = torch.randn(48, 6)
targets = inputs.abs().sum(1, keepdim=True)
for _ in range(20):
    loss = torch.nn.functional.mse_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", loss.item())
