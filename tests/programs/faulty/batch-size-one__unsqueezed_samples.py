"""A GRU that reads one series after another and says which of three processes made it.

fault: batch-size-one
also: learning-rate-too-high
split: train
line: 12
"""

import torch
from torch import nn

BATCH = 1
EPOCHS = 2


class ProcessNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 16, batch_first=True)
        self.head = nn.Linear(16, 3)

    def forward(self, series):
        return self.head(self.gru(series)[0].mean(1))


def simulate(count, length=15):
    kind = torch.randint(0, 3, (count,))
    memory = torch.tensor([-0.8, 0.0, 0.8])[kind]
    values = [torch.randn(count)]
    for _ in range(length - 1):
        values.append(memory * values[-1] + torch.randn(count))
    return torch.stack(values, 1).unsqueeze(-1), kind


torch.set_num_threads(1)
torch.manual_seed(249)
series, kinds = simulate(500)
test_series, test_kinds = simulate(300)
model = ProcessNet()
optimizer = torch.optim.Adam(model.parameters(), lr=8e-2)
for _ in range(EPOCHS):
    order = torch.randperm(len(series))
    for start in range(0, len(series), BATCH):
        rows = order[start : start + BATCH]
        loss = nn.functional.cross_entropy(model(series[rows]), kinds[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    accuracy = (model(test_series).argmax(1) == test_kinds).float().mean().item()
print(f"loss {loss.item():.4f} test accuracy {accuracy:.3f}")
