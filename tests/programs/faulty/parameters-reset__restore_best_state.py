"""A regression trainer that goes back to its best state whenever the validation error rises.

fault: parameters-reset
also:
split: train
line: 37
"""

import copy

import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()
        self.best_error = float("inf")
        self.best_state = copy.deepcopy(model.state_dict())

    def epoch(self, x, y):
        for rows in torch.randperm(len(x)).split(40):
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x[rows]), y[rows])
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def validate(self, x, y):
        with torch.no_grad():
            error = self.criterion(self.model(x), y).item()
        if error < self.best_error:
            self.best_error = error
        else:
            self.model.load_state_dict(self.best_state)
        return error


torch.set_num_threads(1)
torch.manual_seed(66)
x = torch.randn(1600, 5)
y = (torch.sin(2 * x[:, 0]) * x[:, 1] + x[:, 2] ** 2 - 0.5 * x[:, 3] - 1).unsqueeze(1)
net = nn.Sequential(nn.Linear(5, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))
trainer = Trainer(net, lr=1e-2)
for epoch in range(16):
    loss = trainer.epoch(x[:1200], y[:1200])
    error = trainer.validate(x[1200:], y[1200:])
    print(f"epoch {epoch}: train {loss:.4f} val {error:.4f} best {trainer.best_error:.4f}")
