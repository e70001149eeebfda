"""A convolutional network with batch normalisation on digits.

fault: batch-norm-momentum
also: train-mode-in-eval
split: train
line: 18
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def block(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs, momentum=1e-4),
        nn.ReLU(),
    )


def main():
    torch.set_num_threads(1)
    torch.manual_seed(451)
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1)
    x, y = (x - x.mean()) / x.std(), torch.tensor(digits.target)
    order = torch.randperm(len(x))
    x, y = x[order], y[order]
    loader = DataLoader(TensorDataset(x[:1500], y[:1500]), batch_size=50, shuffle=True)
    model = nn.Sequential(block(1, 12), block(12, 24, 2), block(24, 24, 2), nn.Flatten(), nn.Linear(24 * 4, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(5):
        model.train()
        for images, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            logits = model(x[1500:])
            accuracy = (logits.argmax(1) == y[1500:]).float().mean().item()
            test_loss = criterion(logits, y[1500:]).item()
        print(f"epoch {epoch} loss {loss.item():.4f} test loss {test_loss:.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
