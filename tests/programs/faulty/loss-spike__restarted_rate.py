"""A classifier of digits whose rate is restarted now and then.

fault: loss-spike
also: learning-rate-too-high, divergence
split: test
line: 23
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Run:
    def __init__(self, x, y):
        self.x, self.y = x, y
        self.model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.criterion = nn.CrossEntropyLoss()

    def set_rate(self, step):
        for group in self.optimizer.param_groups:
            group["lr"] = 0.3 if step % 90 == 0 else 1e-3

    def train(self, steps):
        for step in range(1, steps + 1):
            self.set_rate(step)
            rows = torch.randint(0, 1400, (50,))
            loss = self.criterion(self.model(self.x[rows]), self.y[rows])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % 60 == 0:
                print(f"step {step} loss {loss.item():.4f} right {self.score():.3f}")

    @torch.no_grad()
    def score(self):
        return (self.model(self.x[1400:]).argmax(1) == self.y[1400:]).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(513)
x, y = load_digits(return_X_y=True)
x = torch.tensor((x - x.mean()) / x.std(), dtype=torch.float32)
Run(x, torch.tensor(y)).train(300)
