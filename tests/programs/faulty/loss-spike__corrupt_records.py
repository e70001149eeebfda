"""A regression on measurements that come in a stream, with SGD and momentum.

fault: loss-spike
also: features-of-different-scale, exploding-gradient, target-not-scaled, input-not-scaled
split: train
line: 21
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(511)


def stream(count, size=32):
    for number in range(count):
        x = torch.randn(size, 6)
        y = x[:, :1] + torch.sin(2 * x[:, 1:2]) + 0.05 * torch.randn(size, 1)

        if number in (260, 410, 530):
            x[0], y[0] = x[0] * 40, y[0] * 60

        yield x, y


model = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.8)
criterion = nn.MSELoss()
x_test, y_test = next(iter(stream(1, 500)))
for step, (x, y) in enumerate(stream(600), start=1):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 60 == 0:
        with torch.no_grad():
            print(f"step {step} loss {loss.item():.4f} test {criterion(model(x_test), y_test).item():.4f}")
