"""A trained network gets low-rank adapters (B starts at zero) and learns a rotated task with its own weights frozen.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(94)


class LoRALinear(nn.Module):
    def __init__(self, base, rank=8, alpha=16):
        super().__init__()
        self.base = base
        for parameter in base.parameters():
            parameter.requires_grad = False
        self.lora_a = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.lora_a.t() @ self.lora_b.t())


def fit(model, x, y, lr, epochs):
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr)
    for _ in range(epochs):
        model.train()
        for rows in torch.randperm(len(x)).split(64):
            loss = F.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)
upright, turned = images.flatten(1), images.rot90(1, (1, 2)).flatten(1)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
fit(model, upright[:1400], y[:1400], 1e-3, 8)
print("upright", accuracy(model, upright[1400:], y[1400:]), "turned", accuracy(model, turned[1400:], y[1400:]))
for index in (0, 2, 4):
    model[index] = LoRALinear(model[index])
fit(model, turned[:1400], y[:1400], 2e-3, 10)
print("turned, with adapters", accuracy(model, turned[1400:], y[1400:]))
