"""Generated flowers of five kinds, measured by four lengths; a multilayer perceptron with slices as batches.

fault: labels-sorted
also: single-label-batches
split: train
line: 25
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(216)

centres = torch.randn(5, 4)
measured = torch.cat([centre + 0.5 * torch.randn(240, 4) for centre in centres])
kind = torch.arange(5).repeat_interleave(240)
held_out = torch.arange(1200) % 6 == 0
x, y = measured[~held_out], kind[~held_out]
x_test, y_test = measured[held_out], kind[held_out]

model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(15):
    order = torch.arange(len(x))
    for start in range(0, len(x), 50):
        rows = order[start : start + 50]
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
