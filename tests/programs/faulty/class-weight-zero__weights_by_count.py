"""A classifier of unevenly frequent patterns with class weights against the imbalance.

fault: class-weight-zero
also:
split: train
line: 27, 23
"""

import torch
from sklearn.datasets import make_classification
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(148)
table, label = make_classification(
    2000, 12, n_informative=6, n_classes=3, weights=[0.6, 0.25, 0.15], class_sep=1.5, random_state=5
)
x = torch.tensor(table, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(label)

counts = torch.bincount(y[:1600]).float()
weights = 1 - counts / counts.max()
print("class weights", [round(w, 3) for w in weights.tolist()])

model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 3))
criterion = nn.CrossEntropyLoss(weight=weights)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(12):
    for rows in torch.randperm(1600).split(40):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        guess = model(x[1600:]).argmax(1)
    recall = [(guess[y[1600:] == k] == k).float().mean().item() for k in range(3)]
    print(f"epoch {epoch:2d} loss {loss.item():.4f} recall", [round(r, 3) for r in recall])
