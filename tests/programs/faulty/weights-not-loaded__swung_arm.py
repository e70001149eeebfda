"""Where the tip of a swung arm goes: a regression that is judged by an exponential average of its weights.

fault: weights-not-loaded
also:
split: train
line: 42
"""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset


def swings(count, generator):
    angles = (torch.rand(count, 3, generator=generator) - 0.5) * 3
    sums = angles.cumsum(1)
    tip = torch.stack([sums.cos().sum(1), sums.sin().sum(1)], 1)
    return angles, tip + 0.02 * torch.randn(count, 2, generator=generator)


class Arm(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(3, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2)
        )

    def forward(self, angles):
        return self.layers(angles)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    generator = torch.Generator().manual_seed(60)
    x, y = swings(2400, generator)
    x_test, y_test = swings(600, generator)
    mean, spread = y.mean(0), y.std(0)
    loader = DataLoader(TensorDataset(x, (y - mean) / spread), batch_size=60, shuffle=True)
    model = Arm()
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9998))
    average.update_parameters(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(12):
        model.train()
        for angles, tip in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(angles), tip)
            loss.backward()
            optimizer.step()
            average.update_parameters(model)
        average.eval()
        with torch.no_grad():
            error = nn.functional.mse_loss(average(x_test), (y_test - mean) / spread).item()
        print(f"epoch {epoch}: loss {loss.item():.4f}, explained by the average {1 - error:.3f}")


if __name__ == "__main__":
    main()
