"""A wide network with dropout on a small noisy table, so that it should not learn the noise by heart.

fault: eval-mode-in-train
also: overfitting
split: train
line: 29
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(57)

weights = torch.randn(20)
x = torch.randn(700, 20)
y = ((x @ weights) / 4 + 0.8 * torch.randn(700) > 0).float()
x_train, y_train, x_val, y_val = x[:200], y[:200], x[200:], y[200:]

model = nn.Sequential(
    nn.Linear(20, 256), nn.ReLU(), nn.Dropout(0.8), nn.Linear(256, 256), nn.ReLU(), nn.Dropout(0.8), nn.Linear(256, 1)
)
loss_fn = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

model.train()
for epoch in range(40):
    for rows in torch.randperm(200).split(25):
        loss = loss_fn(model(x_train[rows]).squeeze(1), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        logits = model(x_val).squeeze(1)
        val_loss = loss_fn(logits, y_val).item()
        val_accuracy = ((logits > 0).float() == y_val).float().mean().item()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1}: train {loss.item():.4f} val {val_loss:.4f} accuracy {val_accuracy:.3f}")
