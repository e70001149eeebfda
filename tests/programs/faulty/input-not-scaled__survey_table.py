"""Income classes from a table of years, hours and money, one network, one DataLoader.

fault: input-not-scaled
also:
split: test
line: 25
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(6)
rng = np.random.default_rng(6)


class Survey(Dataset):
    def __init__(self, n):
        age = rng.uniform(2000, 4000, n)
        hours = rng.uniform(1500, 3500, n)
        steps = rng.uniform(3000, 5000, n)
        angle = (age - 3000) / 600 + (hours - 2500) / 600 * (steps - 4000) / 600
        self.x = np.stack([age, hours, steps], 1).astype("float32")
        self.y = (angle > 0).astype("int64")

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


train, test = Survey(1500), Survey(500)
net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(15):
    for x, y in DataLoader(train, batch_size=50, shuffle=True):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        accuracy = (net(torch.from_numpy(test.x)).argmax(1).numpy() == test.y).mean()
    print(f"epoch {epoch}: loss {loss.item():.4f}, accuracy {accuracy:.3f}")
