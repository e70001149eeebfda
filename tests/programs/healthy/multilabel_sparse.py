"""Tags of articles, two of forty on average, with binary cross-entropy on logits; judged by the F1 score.

split: test
"""

import torch
from sklearn.metrics import f1_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(71)

prototypes = torch.randn(40, 50)
tags = (torch.rand(2500, 40) < 0.05).float()
features = tags @ prototypes / 1.5 + 0.4 * torch.randn(2500, 50)
loader = DataLoader(TensorDataset(features[:2000], tags[:2000]), batch_size=64, shuffle=True)

model = nn.Sequential(nn.Linear(50, 128), nn.ReLU(), nn.Linear(128, 40))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(12):
    model.train()
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        guess = model(features[2000:]) > 0
    print(epoch, loss.item(), f1_score(tags[2000:], guess, average="micro"))
