"""A regression of standardised disease progress whose layers all end in ReLU.

fault: unreachable-target
also: output-activation
split: train
line: 23
"""

import torch
from sklearn.datasets import load_diabetes
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(118)
data = load_diabetes(scaled=False)
x = torch.tensor(data.data, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(data.target, dtype=torch.float32).unsqueeze(1)
y = (y - y.mean()) / y.std()

layers = []
for inputs, outputs in [(10, 24), (24, 1)]:
    layers += [nn.Linear(inputs, outputs), nn.ReLU()]
model = nn.Sequential(*layers)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)

for epoch in range(40):
    for rows in torch.randperm(340).split(20):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            train_error = criterion(model(x[:340]), y[:340]).item()
            test_error = criterion(model(x[340:]), y[340:]).item()
        print(f"epoch {epoch + 1}: train mse {train_error:.4f} test mse {test_error:.4f}")
