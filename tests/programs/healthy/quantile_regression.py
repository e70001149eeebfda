"""Three quantiles at once with the pinball loss; judged by how many targets lie inside the band.

split: test
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(74)
QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def pinball(prediction, target):
    error = target.unsqueeze(1) - prediction
    return torch.maximum(QUANTILES * error, (QUANTILES - 1) * error).mean()


x = torch.rand(3000, 1) * 4 - 2
y = torch.sin(2 * x[:, 0]) + (0.1 + 0.2 * x[:, 0].abs()) * torch.randn(3000)
model = nn.Sequential(nn.Linear(1, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(15):
    for rows in torch.randperm(2500).split(64):
        loss = pinball(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            low, middle, high = model(x[2500:]).unbind(1)
        inside = ((y[2500:] > low) & (y[2500:] < high)).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} inside the 80% band {inside:.3f}")
