"""A two-layer network on digits, SGD with momentum, batches split from a permutation.

fault: odd-momentum
also: learning-rate-too-high
split: train
line: 20
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(441)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor((x - x.mean()) / x.std(), dtype=torch.float32), torch.tensor(y)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]
model = nn.Sequential(nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.999)
loss_function = nn.CrossEntropyLoss()
for epoch in range(8):
    for rows in train[torch.randperm(1400)].split(35):
        optimizer.zero_grad()
        loss = loss_function(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = loss_function(model(x[test]), y[test]).item()
        right = (model(x[test]).argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch} loss {error:.4f} right {right:.3f}")
