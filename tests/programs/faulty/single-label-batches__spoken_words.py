"""Spoken words as spectrograms, grouped as they are on the disk.

fault: single-label-batches
also:
split: train
line: 54
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, Subset


class Words(Dataset):
    def __init__(self, per_word=120, words=8, seed=0):
        rng = np.random.RandomState(seed)
        freq = np.arange(20)[:, None]
        time = np.arange(24)[None, :]
        self.x, self.y = [], []
        for w in range(words):
            for _ in range(per_word):
                start, slope = 3 + (w % 4) * 4 + rng.randn() * 0.7, (-0.25 if w < 4 else 0.25) + rng.randn() * 0.05
                ridge = np.exp(-((freq - start - slope * (time - 12)) ** 2) / 4)
                self.x.append((ridge + 0.5 * rng.randn(20, 24)).astype(np.float32))
                self.y.append(w)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i])[None], self.y[i]


class KWS(nn.Module):
    def __init__(self, n=8):
        super().__init__()
        self.c1 = nn.Conv2d(1, 12, 5, stride=2)
        self.c2 = nn.Conv2d(12, 24, 3, stride=2)
        self.fc = nn.Linear(24 * 3 * 4, n)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return self.fc(x.flatten(1))


torch.manual_seed(0)
data = Words()
test_ids = list(range(0, len(data), 5))
train_ids = [i for i in range(len(data)) if i % 5]
chunks = [train_ids[i:i + 16] for i in range(0, len(train_ids), 16)]
train_dl = DataLoader(data, batch_sampler=[chunks[i] for i in torch.randperm(len(chunks))])
test_dl = DataLoader(Subset(data, test_ids), batch_size=64)
model = KWS()
opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
for ep in range(6):
    model.train()
    for x, y in train_dl:
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in test_dl)
    print("epoch", ep, "test accuracy", right / len(test_ids))
