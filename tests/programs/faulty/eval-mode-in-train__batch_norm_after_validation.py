"""A deep network with batch-norm on digits, validated after each epoch.

fault: eval-mode-in-train
also:
split: train
line: 45
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def block(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, outputs), nn.BatchNorm1d(outputs), nn.ReLU())


def validate(model, loader):
    model.eval()
    hits, total = 0, 0.0
    with torch.no_grad():
        for images, labels in loader:
            logits = model(images)
            hits += (logits.argmax(1) == labels).sum().item()
            total += F.cross_entropy(logits, labels, reduction="sum").item()
    return total / len(loader.dataset), hits / len(loader.dataset)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(56)
    digits = load_digits()
    x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
    y = torch.tensor(digits.target)
    train = DataLoader(TensorDataset(x[:1400], y[:1400]), batch_size=70, shuffle=True, drop_last=True)
    valid = DataLoader(TensorDataset(x[1400:], y[1400:]), batch_size=100)
    model = nn.Sequential(*[block(64, 64) for _ in range(7)], nn.Linear(64, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    print("before training: loss {:.3f} accuracy {:.3f}".format(*validate(model, valid)))
    for epoch in range(10):
        for images, labels in train:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
        val_loss, accuracy = validate(model, valid)
        print(f"epoch {epoch} train {loss.item():.4f} val {val_loss:.4f} accuracy {accuracy:.3f}")


main()
