"""An averaged copy of the model is kept during training and used for evaluation.

split: train
"""

import copy

import torch
from sklearn.datasets import load_wine
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)


class Average:
    def __init__(self, model, decay=0.95):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay
        for parameter in self.model.parameters():
            parameter.requires_grad = False

    @torch.no_grad()
    def update(self, model):
        for mine, theirs in zip(self.model.state_dict().values(), model.state_dict().values(), strict=False):
            if mine.dtype.is_floating_point:
                mine.mul_(self.decay).add_(theirs, alpha=1 - self.decay)
            else:
                mine.copy_(theirs)


wine = load_wine()
x = torch.tensor(wine.data, dtype=torch.float32)
y = torch.tensor(wine.target)
order = torch.randperm(len(x))
x, y = x[order], y[order]
x = (x - x[:130].mean(0)) / x[:130].std(0)

model = nn.Sequential(nn.Linear(13, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
average = Average(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(15):
    model.train()
    for rows in torch.randperm(130)[:128].split(16):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update(model)
    with torch.no_grad():
        score = (average.model(x[130:]).argmax(1) == y[130:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} averaged model {score:.3f}")
