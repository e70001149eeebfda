"""A curve is fitted with LBFGS.

split: test
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(7)
torch.set_default_dtype(torch.float64)


def target(x):
    return torch.sin(3 * x[:, :1]) * torch.cos(2 * x[:, 1:]) + 0.5 * x[:, :1] ** 2


train_x = torch.rand(400, 2) * 2 - 1
train_y = target(train_x) + 0.02 * torch.randn(400, 1)
test_x = torch.rand(300, 2) * 2 - 1
test_y = target(test_x)


class Surface(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.l1 = nn.Linear(2, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)
        for layer in (self.l1, self.l2, self.l3):
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(x)))))


model = Surface()
optimizer = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=20, history_size=20, line_search_fn="strong_wolfe")
l2 = 1e-6


def closure():
    optimizer.zero_grad()
    fit = ((model(train_x) - train_y) ** 2).mean()
    penalty = sum((p ** 2).sum() for p in model.parameters())
    loss = fit + l2 * penalty
    loss.backward()
    return loss


for it in range(1, 31):
    loss = optimizer.step(closure)
    if it % 5 == 0:
        with torch.no_grad():
            test = ((model(test_x) - test_y) ** 2).mean().item()
        print(f"outer {it:2d} train objective {loss.item():.6f} test mse {test:.6f}")

with torch.no_grad():
    resid = ((model(test_x) - test_y) ** 2).mean()
print("test R2", round(1 - (resid / test_y.var()).item(), 4))
