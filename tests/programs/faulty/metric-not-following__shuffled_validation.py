"""A digit MLP with a validation set that is drawn and shuffled by hand.

fault: metric-not-following
also: overfitting, preprocessing-differs, evaluation-at-chance
split: train
line: 21
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(145)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
x_train, y_train = x[order[:1400]], y[order[:1400]]
x_val, y_val = x[order[1400:]], y[1400:]

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(10):
    model.train()
    for rows in torch.randperm(len(x_train)).split(50):
        loss = F.cross_entropy(model(x_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        logits = model(x_val)
    val_loss = F.cross_entropy(logits, y_val).item()
    accuracy = (logits.argmax(1) == y_val).float().mean().item()
    print(f"epoch {epoch}: train loss {loss.item():.4f} val loss {val_loss:.4f} val accuracy {accuracy:.3f}")
