"""A convolution network with accumulated gradients.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(41)

ACCUM = 4
MICRO = 16

d = load_digits()
x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1)
x = (x - x.mean()) / x.std()
dataset = TensorDataset(x, torch.tensor(d.target))
train_set, test_set = random_split(dataset, [1440, len(dataset) - 1440])
train_loader = DataLoader(train_set, batch_size=MICRO, shuffle=True)
test_loader = DataLoader(test_set, batch_size=512)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.gn1 = nn.GroupNorm(4, 16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.gn2 = nn.GroupNorm(4, 32)
        self.fc = nn.Linear(32, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.gn1(self.conv1(x))), 2)
        x = F.relu(self.gn2(self.conv2(x)))
        return self.fc(x.amax(dim=(2, 3)))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
updates_per_epoch = len(train_loader) // ACCUM
epochs = 10
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.15, total_steps=updates_per_epoch * epochs)

optimizer.zero_grad()
for epoch in range(epochs):
    model.train()
    total = 0.0
    for i, (xb, yb) in enumerate(train_loader, start=1):
        loss = F.cross_entropy(model(xb), yb)
        (loss / ACCUM).backward()
        total += loss.item()
        if i % ACCUM == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    model.eval()
    correct = 0
    with torch.no_grad():
        for xb, yb in test_loader:
            correct += (model(xb).argmax(1) == yb).sum().item()
    print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f} test acc {correct / len(test_set):.4f}")
