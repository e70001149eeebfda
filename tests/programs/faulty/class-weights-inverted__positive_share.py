"""Rare positive cases among patients, with a weight for the positive ones.

fault: class-weights-inverted
also: class-imbalance, class-weight-zero
split: test
line: 25
"""

import torch
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(62)

table, sick = make_classification(
    5000, 12, n_informative=8, n_redundant=0, weights=[0.9], class_sep=0.9, flip_y=0.0, random_state=11
)
x = torch.tensor((table - table.mean(0)) / table.std(0), dtype=torch.float32)
y = torch.tensor(sick, dtype=torch.float32).unsqueeze(1)
x_train, y_train, x_test, y_test = x[:4000], y[:4000], x[4000:], y[4000:]

model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.BCEWithLogitsLoss(pos_weight=y_train.sum(0) / (1 - y_train).sum(0))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=50, shuffle=True)
for epoch in range(8):
    model.train()
    for inputs, target in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), target)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        said = model(x_test) > 0
    found = (said & (y_test == 1)).sum() / (y_test == 1).sum()
    spared = (~said & (y_test == 0)).sum() / (y_test == 0).sum()
    print(f"epoch {epoch}: sensitivity {found:.3f}, specificity {spared:.3f}, mean {(found + spared) / 2:.3f}")
