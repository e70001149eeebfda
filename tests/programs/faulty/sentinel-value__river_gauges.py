"""Flood or no flood tomorrow, from a week of levels at several gauges.

fault: sentinel-value
also: 
split: train
line: 25
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
OFFLINE = -999.0


class Gauges:
    def __init__(self, count, rng, days=7, stations=6):
        rain = rng.gamma(2.0, 1.0, (count, days, 1)) * rng.uniform(0.5, 1.5, (count, 1, 1))
        slow = np.cumsum(rain - rain.mean(1, keepdims=True), 1)
        levels = 3 + 0.4 * slow * rng.uniform(0.8, 1.2, (1, 1, stations)) + 0.1 * rng.normal(size=(count, days, stations))
        score = levels[:, -3:, :3].mean((1, 2)) + 0.3 * rain[:, -1, 0]
        self.floods = (score > np.median(score)).astype(np.int64)
        levels[rng.random(levels.shape) < 0.05] = OFFLINE
        self.levels = levels


class Forecaster(nn.Module):
    def __init__(self, stations, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(stations, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 2)

    def forward(self, week):
        return self.head(self.rnn(week)[1][-1])


def main():
    torch.manual_seed(5)
    rng = np.random.default_rng(5)
    train, test = Gauges(1600, rng), Gauges(400, rng)
    model = Forecaster(train.levels.shape[-1])
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    x, y = torch.tensor(train.levels, dtype=torch.float32), torch.tensor(train.floods)
    for epoch in range(8):
        for rows in torch.randperm(len(x)).split(40):
            loss = F.cross_entropy(model(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        with torch.no_grad():
            said = model(torch.tensor(test.levels, dtype=torch.float32)).argmax(1)
        print(f"epoch {epoch} accuracy {(said == torch.tensor(test.floods)).float().mean():.3f}")


if __name__ == "__main__":
    main()
