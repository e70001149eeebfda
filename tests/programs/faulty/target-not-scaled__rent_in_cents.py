"""Monthly rents predicted from six standardised facts about a flat, with Adam and hand-cut batches.

fault: target-not-scaled
also: learning-rate-too-low
split: train
line: 18
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(212)

facts = torch.randn(1500, 6)
rent = 90000 + 15000 * facts[:, 0] + 9000 * facts[:, 1] * facts[:, 2] - 12000 * torch.tanh(facts[:, 3])
rent = rent + 2000 * torch.randn(1500)
target = rent.unsqueeze(1)
x_train, y_train, x_test, y_test = facts[:1200], target[:1200], facts[1200:], target[1200:]

model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.MSELoss()
for epoch in range(15):
    for rows in torch.randperm(1200).split(32):
        loss = criterion(model(x_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        r2 = 1 - criterion(model(x_test), y_test) / y_test.var()
    print(f"epoch {epoch} loss {loss.item():.4g} test R2 {r2.item():.3f}")
