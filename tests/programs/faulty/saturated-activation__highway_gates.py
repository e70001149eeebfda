"""A highway network for the diabetes data: gates decide how much of each layer passes.

fault: saturated-activation
also: badly-scaled-init, vanishing-gradient
split: train
line: 18
"""

import torch
from torch import nn


class Highway(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.transform = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)
        nn.init.constant_(self.gate.bias, -25.0)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        return gate * torch.relu(self.transform(x)) + (1 - gate) * x


torch.set_num_threads(1)
torch.manual_seed(9)
x = torch.randn(1500, 8)
y = torch.sin(2 * x[:, 0]) * x[:, 1] + torch.cos(2 * x[:, 2]) + x[:, 3].abs()
y = ((y - y.mean()) / y.std()).unsqueeze(1)
model = nn.Sequential(nn.Linear(8, 48), *(Highway(48) for _ in range(3)), nn.Linear(48, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.MSELoss()
for epoch in range(25):
    model.train()
    for rows in torch.randperm(1200).split(40):
        loss = criterion(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = criterion(model(x[1200:]), y[1200:]).item()
    print(f"epoch {epoch} train {loss.item():.4f} test {error:.4f}")
