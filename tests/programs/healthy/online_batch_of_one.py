"""Online learning: one example at a time with plain SGD, in random order, in float64 from numpy.

split: train
"""

import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(91)
rng = np.random.default_rng(91)

table = rng.normal(size=(700, 5))
weights = np.array([1.0, -2.0, 0.5, 0.0, 3.0])
value = table @ weights + 0.7 + 0.1 * rng.normal(size=700)
value = (value - value.mean()) / value.std()
x, y = torch.from_numpy(table), torch.from_numpy(value)

model = torch.nn.Linear(5, 1).double()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _epoch in range(2):
    for i in rng.permutation(600):
        loss = (model(x[i]).squeeze() - y[i]) ** 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    residual = (model(x[600:]).squeeze(1) - y[600:]).pow(2).mean() / y[600:].var()
print("R2", 1 - residual.item())
