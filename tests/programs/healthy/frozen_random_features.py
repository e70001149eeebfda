"""A wide frozen random layer with a trained linear readout, on digits.

split: test
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)


class RandomFeatures(nn.Module):
    def __init__(self, width=400):
        super().__init__()
        self.register_buffer("directions", torch.randn(64, width) / 8)
        self.register_buffer("phases", torch.rand(width) * 6.28)
        self.readout = nn.Linear(width, 10)

    def forward(self, x):
        with torch.no_grad():
            features = torch.cos(x @ self.directions + self.phases)
        return self.readout(features)


data = load_digits()
x = torch.tensor(data.data, dtype=torch.float32)
x = (x - x.mean()) / x.std()
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
train, test = perm[:1400], perm[1400:]
model = RandomFeatures()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(12):
    for rows in train[torch.randperm(1400)].split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        print(f"epoch {epoch} accuracy {(model(x[test]).argmax(1) == y[test]).float().mean():.3f}")
