"""A curve is fitted to few noisy points, and the weights with the lowest validation error are the ones to use.

fault: best-state-not-copied
also:
split: train
line: 34
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)


class EarlyStopping:
    """Remembers the best weights and goes back to them."""

    def __init__(self, model, patience):
        self.model = model
        self.patience = patience
        self.best = float("inf")
        self.weights = None
        self.waited = 0

    def update(self, error):
        self.waited += 1
        if error < self.best:
            self.remember(error)
        return self.waited > self.patience

    def remember(self, error):
        self.best, self.waited = error, 0
        self.weights = {name: value.detach().cpu() for name, value in self.model.state_dict().items()}

    def restore(self):
        self.model.load_state_dict(self.weights)


def points(count, noise):
    x = torch.rand(count, 2) * 4 - 2
    y = torch.sin(2 * x[:, :1]) * torch.cos(x[:, 1:])
    return x, y + noise * torch.randn_like(y)


x, y = points(90, 0.45)
x_val, y_val = points(400, 0.45)
x_test, y_test = points(1000, 0.0)

net = nn.Sequential(nn.Linear(2, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
stopping = EarlyStopping(net, patience=250)
for epoch in range(600):
    net.train()
    for rows in torch.randperm(len(x)).split(30):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        error = nn.functional.mse_loss(net(x_val), y_val).item()
    if stopping.update(error):
        break
stopping.restore()
net.eval()
with torch.no_grad():
    print(f"stopped in epoch {epoch}; lowest validation error {stopping.best:.3f}")
    print(f"error on the clean curve {nn.functional.mse_loss(net(x_test), y_test).item():.3f}")
