"""Pictures of digits as a scanner writes them, read by a data set of their own.

fault: discarded-result
also:
split: train
line: 29
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(3)


class Scans(Dataset):
    def __init__(self, pictures, labels):
        self.pictures = pictures
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        picture = torch.from_numpy(self.pictures[index].astype(np.float32)).flatten()
        picture / 255.0
        return picture, int(self.labels[index])


digits = load_digits()
pictures = (digits.images * (255 / 16)).astype(np.uint8)
order = np.random.default_rng(0).permutation(len(pictures))
train = DataLoader(Scans(pictures[order[:1300]], digits.target[order[:1300]]), batch_size=50, shuffle=True)
test = DataLoader(Scans(pictures[order[1300:]], digits.target[order[1300:]]), batch_size=100)
model = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(8):
    for pixels, label in train:
        optimizer.zero_grad()
        loss = criterion(model(pixels), label)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = sum((model(pixels).argmax(1) == label).sum().item() for pixels, label in test)
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {right / len(test.dataset):.3f}")
