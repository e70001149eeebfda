"""Points inside or outside a ring, by logistic regression.

fault: too-small-model
also: missing-nonlinearity
split: test
line: 18
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(62)
x = torch.randn(2000, 2)
radius = x.norm(dim=1)
y = ((radius > 0.7) & (radius < 1.7)).float()
x_train, y_train, x_test, y_test = x[:1600], y[:1600], x[1600:], y[1600:]
model = nn.Linear(2, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loss_fn = nn.BCEWithLogitsLoss()
for epoch in range(25):
    for rows in torch.randperm(1600).split(40):
        loss = loss_fn(model(x_train[rows]).squeeze(1), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            accuracy = ((model(x_test).squeeze(1) > 0).float() == y_test).float().mean()
        print(f"epoch {epoch + 1} loss {loss.item():.3f} accuracy {accuracy:.3f} share {y_test.mean():.3f}")
