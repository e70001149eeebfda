"""A network on generated measurements of four classes, fed in a loop over the rows of the table.

fault: batch-size-one
also: learning-rate-too-high
split: train
line: 23
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(248)
centres = torch.randn(4, 10)
y = torch.randint(0, 4, (1200,))
x = centres[y] + 1.0 * torch.randn(1200, 10)
x_test, y_test = x[900:], y[900:]

model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for row in torch.randperm(900).split(1):
        loss = criterion(model(x[row]), y[row])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
