"""A critic with spectral norm and a regressor with weight norm, trained one after the other.

split: test
"""

import torch
from sklearn.datasets import load_diabetes
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm

torch.set_num_threads(1)
torch.manual_seed(15)

moons = torch.randn(1000, 2)
inside = (moons.norm(dim=1) < 1.1).float()
critic = nn.Sequential(
    spectral_norm(nn.Linear(2, 64)), nn.ReLU(), spectral_norm(nn.Linear(64, 64)), nn.ReLU(), nn.Linear(64, 1)
)
optimizer = torch.optim.Adam(critic.parameters(), lr=5e-3)
for _epoch in range(20):
    for rows in torch.randperm(800).split(64):
        loss = nn.functional.binary_cross_entropy_with_logits(critic(moons[rows]).squeeze(1), inside[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
critic.eval()
with torch.no_grad():
    print("critic accuracy", ((critic(moons[800:]).squeeze(1) > 0) == inside[800:].bool()).float().mean().item())

data = load_diabetes()
x = torch.tensor(data.data, dtype=torch.float32) / 0.0476
y = torch.tensor(data.target, dtype=torch.float32)
y = ((y - y[:350].mean()) / y[:350].std()).unsqueeze(1)
net = nn.Sequential(weight_norm(nn.Linear(10, 16)), nn.Tanh(), weight_norm(nn.Linear(16, 1)))
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3, weight_decay=1e-3)
for _epoch in range(25):
    for rows in torch.randperm(350).split(32):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    residual = nn.functional.mse_loss(net(x[350:]), y[350:])
print("diabetes R2 on held-out patients", 1 - (residual / y[350:].var()).item())
