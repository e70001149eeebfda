"""A convolutional net under OneCycleLR, stepped after every batch as it is meant to be.

split: train
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(6)

digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
labels = torch.tensor(digits.target)
order = torch.randperm(len(images))
train_set = TensorDataset(images[order[:1400]], labels[order[:1400]])
test_set = TensorDataset(images[order[1400:]], labels[order[1400:]])

model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1, bias=False),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1, bias=False),
    nn.BatchNorm2d(32),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(2),
    nn.Flatten(),
    nn.Linear(128, 10),
)
loader = DataLoader(train_set, batch_size=64, shuffle=True, drop_last=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.3, epochs=6, steps_per_epoch=len(loader))
criterion = nn.CrossEntropyLoss()

for epoch in range(6):
    model.train()
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    model.eval()
    right = 0
    with torch.no_grad():
        for inputs, targets in DataLoader(test_set, batch_size=256):
            right += (model(inputs).argmax(1) == targets).sum().item()
    print(f"epoch {epoch} lr {scheduler.get_last_lr()[0]:.4f} accuracy {right / len(test_set):.3f}")
