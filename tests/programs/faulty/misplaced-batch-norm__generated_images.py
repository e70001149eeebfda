"""An autoencoder for digits of which some are bright and some faint.

fault: misplaced-batch-norm
also:
split: train
line: 25
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader

torch.set_num_threads(1)
torch.manual_seed(132)
x = torch.tensor(load_digits().data, dtype=torch.float32) / 8
x = x * torch.exp(torch.randn(len(x), 1).clamp(-1, 1))
x = x[torch.randperm(len(x))]
model = nn.Sequential(
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 16),
    nn.ReLU(),
    nn.Linear(16, 64),
    nn.BatchNorm1d(64, affine=False),
)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(15):
    model.train()
    for batch in DataLoader(x[:1500], batch_size=50, shuffle=True):
        loss = (model(batch) - batch).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = (model(x[1500:]) - x[1500:]).square().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} held out {error:.4f}")
