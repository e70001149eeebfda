"""Wine-like grades in order, learned as cumulative thresholds (one logit, shared weight, four cut points).

split: train
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(72)
rng = np.random.default_rng(72)

features = rng.normal(size=(1500, 8)).astype(np.float32)
quality = features @ rng.normal(size=8) + 0.7 * features[:, 0] * features[:, 1] + 0.2 * rng.normal(size=1500)
grades = np.digitize(quality, np.quantile(quality, [0.2, 0.4, 0.6, 0.8]))
x, y = torch.from_numpy(features), torch.from_numpy(grades)


class Ordinal(nn.Module):
    def __init__(self, levels=5):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
        self.cuts = nn.Parameter(torch.linspace(-2, 2, levels - 1))

    def forward(self, x):
        return self.score(x) - self.cuts


model = Ordinal()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(20):
    for rows in torch.randperm(1200).split(48):
        above = (y[rows].unsqueeze(1) > torch.arange(4)).float()
        loss = F.binary_cross_entropy_with_logits(model(x[rows]), above)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        guess = (model(x[1200:]) > 0).sum(1)
        off = (guess - y[1200:]).abs().float().mean().item()
    print(f"epoch {epoch} mean distance in grades {off:.3f}")
