"""A siamese network tells whether two digits are the same.

split: test
"""

# Siamese network for digit verification (course assignment 4)
from itertools import cycle

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)
np.random.seed(0)

digits = load_digits()
images = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
labels = torch.tensor(digits.target)
train_idx = np.arange(0, 1300)
test_idx = np.arange(1300, len(labels))


class PairDataset(Dataset):
    def __init__(self, idx, n_pairs, seed):
        rng = np.random.RandomState(seed)
        by_class = {c: idx[labels[idx].numpy() == c] for c in range(10)}
        self.pairs = []
        for k in range(n_pairs):
            c = rng.randint(10)
            d = c if k % 2 == 0 else (c + rng.randint(1, 10)) % 10
            self.pairs.append((rng.choice(by_class[c]), rng.choice(by_class[d]), float(c == d)))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, k):
        i, j, same = self.pairs[k]
        return images[i], images[j], torch.tensor(same)


class EmbeddingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.fc = nn.Linear(24 * 4, 16)

    def forward(self, x):
        return self.fc(self.features(x))


def contrastive(a, b, same, margin=1.5):
    d = (a - b).pow(2).sum(1).add(1e-8).sqrt()
    return (same * d ** 2 + (1 - same) * torch.relu(margin - d) ** 2).mean(), d


train_loader = DataLoader(PairDataset(train_idx, 6000, 1), batch_size=32)
test_loader = DataLoader(PairDataset(test_idx, 1000, 2), batch_size=250)

net = EmbeddingNet()
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)


def test():
    net.eval()
    correct = 0
    with torch.no_grad():
        for a, b, s in test_loader:
            _, d = contrastive(net(a), net(b), s)
            correct += ((d < 0.75).float() == s).sum().item()
    net.train()
    return correct / len(test_loader.dataset)


num_steps = 600
for step, (a, b, same) in zip(range(num_steps), cycle(train_loader)):
    loss, _ = contrastive(net(a), net(b), same)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (step + 1) % 100 == 0:
        print('step %d  contrastive loss %.4f  verification accuracy %.3f' % (step + 1, loss.item(), test()))
