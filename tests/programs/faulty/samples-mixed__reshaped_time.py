"""A GRU over frames of several sensors; time comes first inside of the model.

fault: samples-mixed
also: scrambled-axes
split: test
line: 21
"""

import torch
from torch import nn


class Sensors(nn.Module):
    def __init__(self, sensors=4, width=24):
        super().__init__()
        self.gru = nn.GRU(sensors, width)
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, frames):
        batch, time, sensors = frames.shape
        by_time = frames.reshape(time, batch, sensors)
        _, last = self.gru(by_time)
        return self.head(last[0]).squeeze(1)


def recordings(count, time=10):
    frames = torch.randn(count, time, 4)
    return frames, frames[:, :, 0].sum(1) / 3 - frames[:, -1, 1]


class Experiment:
    def __init__(self):
        self.model = Sensors()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        self.frames, self.targets = recordings(1500)
        self.test = recordings(400)

    def run(self, epochs=10):
        for epoch in range(epochs):
            for rows in torch.randperm(1500).split(30):
                loss = (self.model(self.frames[rows]) - self.targets[rows]).square().mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            with torch.no_grad():
                error = (self.model(self.test[0]) - self.test[1]).square().mean().item()
            print(f"epoch {epoch} loss {loss.item():.4f} test error {error:.4f}")


torch.set_num_threads(1)
torch.manual_seed(51)
Experiment().run()
