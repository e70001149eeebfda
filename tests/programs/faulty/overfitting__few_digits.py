"""A wide network on a small set of digits, with its loss on held-out digits printed.

fault: overfitting
also: too-few-examples
split: train
line: 24
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(481)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor((x - x.mean()) / x.std(), dtype=torch.float32), torch.tensor(y)
noise = torch.rand(len(y)) < 0.25
y = torch.where(noise, torch.randint(0, 10, y.shape), y)
order = torch.randperm(len(x))
train, held_out = order[:300], order[300:]
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(60):
    model.train()
    for rows in train[torch.randperm(300)].split(30):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        logits = model(x[held_out])
        held = criterion(logits, y[held_out]).item()
        right = (logits.argmax(1) == y[held_out]).float().mean().item()
    print(f"epoch {epoch} train {loss.item():.4f} held out {held:.4f} right {right:.3f}")
