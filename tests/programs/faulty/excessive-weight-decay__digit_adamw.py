"""A convolutional network on digits with AdamW out of a configuration dictionary.

fault: excessive-weight-decay
also:
split: train
line: 17
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

config = {
    "lr": 2e-3,
    "weight_decay": 40.0,
    "epochs": 6,
    "batch_size": 50,
}


def build():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 16, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(16 * 16, 10),
    )


def main():
    torch.set_num_threads(1)
    torch.manual_seed(422)
    digits = load_digits()
    x = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
    x, y = (x - 0.3) / 0.37, torch.tensor(digits.target)
    order = torch.randperm(len(x))
    x, y = x[order], y[order]
    loader = DataLoader(TensorDataset(x[:1500], y[:1500]), batch_size=config["batch_size"], shuffle=True)
    model = build()
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"], weight_decay=config["weight_decay"])
    for epoch in range(config["epochs"]):
        for images, labels in loader:
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(x[1500:]).argmax(1) == y[1500:]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
