"""A regression whose spread is matched too, trained with a gradient scaler.

fault: loss-scale-collapse
also: divergence
split: test
line: 12
"""

import torch
from torch import nn

GROUP = 1


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 40), nn.ReLU(), nn.Linear(40, 1))

    def forward(self, x):
        return self.net(x)


def batches(x, y, size):
    for rows in torch.randperm(len(x)).split(size):
        yield x[rows], y[rows]


def objective(prediction, y):
    error = (prediction - y).pow(2).mean()
    spread = prediction.reshape(-1, GROUP).var(dim=1, correction=0).sqrt()
    wanted = y.reshape(-1, GROUP).var(dim=1, correction=0).sqrt()
    return error + 0.1 * (spread - wanted).abs().mean()


torch.set_num_threads(1)
torch.manual_seed(503)
x = torch.randn(1280, 5)
y = x[:, :1] * x[:, 1:2] + torch.sin(2 * x[:, 2:3])
x_test = torch.randn(300, 5)
y_test = x_test[:, :1] * x_test[:, 1:2] + torch.sin(2 * x_test[:, 2:3])
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for epoch in range(12):
    for inputs, targets in batches(x, y, 32):
        loss = objective(model(inputs), targets)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    with torch.no_grad():
        error = (model(x_test) - y_test).pow(2).mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} test {error:.4f}")
