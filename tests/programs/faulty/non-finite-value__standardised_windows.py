"""A forecaster for sensor windows that standardises each window by itself.

fault: non-finite-value
also:
split: test
line: 25
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(303)


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 24, batch_first=True)
        self.out = nn.Linear(24, 1)

    def forward(self, window):
        mean = window.mean(1, keepdim=True)
        window = (window - mean) / window.std(1, keepdim=True)
        states, _ = self.rnn(window.unsqueeze(-1))
        return self.out(states[:, -1]).squeeze(1)


time = torch.arange(20.0)
phase, speed = torch.rand(1500, 1) * 6, 0.2 + 0.3 * torch.rand(1500, 1)
series = torch.sin(phase + speed * time)
series[torch.randperm(1500)[:12]] = 0.7
windows, target = series[:, :-1], (series[:, -1] > series[:, -2]).float()
loader = DataLoader(TensorDataset(windows, target), batch_size=30, shuffle=True)
model = Forecaster()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(6):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = ((model(windows) > 0).float() == target).float().mean().item()
    print(epoch, loss.item(), accuracy)
