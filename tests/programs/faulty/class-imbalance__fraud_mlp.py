"""Card payments, a few of them fraud, judged by a multilayer perceptron; prints how many frauds are caught.

fault: class-imbalance
also:
split: train
line: 27
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(221)


def payments(count):
    fraud = (torch.rand(count) < 0.02).float()
    facts = torch.randn(count, 8)
    facts[:, :3] += 0.9 * fraud.unsqueeze(1)
    return facts, fraud


x, y = payments(6000)
x_test, y_test = payments(4000)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(6):
    for rows in torch.randperm(len(x)).split(64):
        loss = criterion(model(x[rows]).squeeze(1), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        flagged = model(x_test).squeeze(1) > 0
    caught = flagged[y_test == 1].float().mean().item()
    spared = (~flagged[y_test == 0]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} caught {caught:.2f} balanced accuracy {(caught + spared) / 2:.3f}")
