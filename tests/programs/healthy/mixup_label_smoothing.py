"""MixUp and label smoothing on digits scaled to 0..1: the training loss stays high, the score does not suffer.

split: train
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(99)
rng = np.random.default_rng(99)

digits = load_digits()
x = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
y = torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), batch_size=64, shuffle=True)
model = nn.Sequential(
    nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.3), nn.Linear(384, 10)
)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(12):
    model.train()
    for inputs, targets in loader:
        share = float(rng.beta(0.4, 0.4))
        other = torch.randperm(len(inputs))
        logits = model(share * inputs + (1 - share) * inputs[other])
        loss = share * criterion(logits, targets) + (1 - share) * criterion(logits, targets[other])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(epoch, round(loss.item(), 3), (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item())
