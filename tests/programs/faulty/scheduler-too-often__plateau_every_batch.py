"""A GRU that predicts a chaotic series, with a rate that falls when the loss stops to fall.

fault: scheduler-too-often
also:
split: test
line: 39
"""

import torch
from torch import nn


class Predictor(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.GRU(1, hidden, batch_first=True)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.readout(self.cell(x)[0][:, -1])


class Fit:
    def __init__(self, model, series, window=8):
        self.model = model
        windows = series.unfold(0, window + 1, 1)
        self.x, self.y = windows[:, :-1].unsqueeze(-1), windows[:, -1:]
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=3)

    def train(self, epochs):
        for epoch in range(epochs):
            total, batches = 0.0, torch.randperm(len(self.x)).split(32)
            for rows in batches:
                loss = nn.functional.mse_loss(self.model(self.x[rows]), self.y[rows])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.plateau.step(loss.item())
                total += loss.item()
            rate = self.optimizer.param_groups[0]["lr"]
            print(f"epoch {epoch}: mse {total / len(batches):.4f}, rate {rate:.2e}")


def logistic_map(length):
    values = [torch.tensor(0.3)]
    while len(values) < length:
        values.append(3.9 * values[-1] * (1 - values[-1]))
    series = torch.stack(values)
    return (series - series.mean()) / series.std()


torch.set_num_threads(1)
torch.manual_seed(32)
Fit(Predictor(), logistic_map(1300)).train(epochs=10)
