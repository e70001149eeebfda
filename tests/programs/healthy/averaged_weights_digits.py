"""Digits trained with SGD while an exponential average of the weights is kept and scored.

split: test
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.set_num_threads(1)
torch.manual_seed(3)
data = load_digits()
x = torch.tensor(data.data / 16, dtype=torch.float32)
x = (x - x.mean()) / x.std()
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
train, test = perm[:1400], perm[1400:]
model = nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 10))
average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.95))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
for epoch in range(8):
    for rows in train[torch.randperm(1400)].split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows], label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update_parameters(model)
    with torch.no_grad():
        accuracy = (average(x[test]).argmax(1) == y[test]).float().mean()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy of the average {accuracy:.3f}")
