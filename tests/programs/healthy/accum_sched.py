"""Accumulated gradients and a scheduler.

split: train
"""

import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.preprocessing import StandardScaler
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset

HPARAMS = dict(
    lr=0.1,
    momentum=0.9,
    lr_decay=0.85,
    micro_batch=16,
    accumulation_steps=4,
    epochs=30,
    hidden=96,
    seed=31,
)


def make_data(seed):
    x, y = make_classification(
        n_samples=3200, n_features=20, n_informative=10, n_redundant=2, n_classes=5,
        n_clusters_per_class=2, class_sep=1.6, flip_y=0.01, random_state=seed,
    )
    x_train, x_val, y_train, y_val = x[:2560], x[2560:], y[:2560], y[2560:]
    scaler = StandardScaler().fit(x_train)

    def to_set(a, b):
        return TensorDataset(torch.tensor(scaler.transform(a), dtype=torch.float32), torch.tensor(b))

    return to_set(x_train, y_train), to_set(x_val, y_val)


class ResidualBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc1 = nn.Linear(dim, dim)
        self.fc2 = nn.Linear(dim, dim)

    def forward(self, x):
        return x + self.fc2(torch.relu(self.fc1(self.norm(x))))


def build_model(hidden):
    return nn.Sequential(nn.Linear(20, hidden), ResidualBlock(hidden), ResidualBlock(hidden), nn.Linear(hidden, 5))


def train_one_epoch(model, loader, optimizer, scheduler, hp):
    model.train()
    criterion = nn.CrossEntropyLoss()
    running = 0.0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        (loss / hp["accumulation_steps"]).backward()
        running += loss.item()
        if (i + 1) % hp["accumulation_steps"] == 0:
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
    return running / len(loader)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    correct = sum((model(x).argmax(-1) == y).sum().item() for x, y in loader)
    return correct / len(loader.dataset)


def main(hp):
    torch.manual_seed(hp["seed"])
    train_set, val_set = make_data(hp["seed"])
    train_loader = DataLoader(train_set, batch_size=hp["micro_batch"], shuffle=True)
    val_loader = DataLoader(val_set, batch_size=320)
    model = build_model(hp["hidden"])
    optimizer = torch.optim.SGD(model.parameters(), lr=hp["lr"], momentum=hp["momentum"])
    scheduler = ExponentialLR(optimizer, gamma=hp["lr_decay"])
    for epoch in range(hp["epochs"]):
        loss = train_one_epoch(model, train_loader, optimizer, scheduler, hp)
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d} loss {loss:.4f} val_acc {accuracy(model, val_loader):.4f}")
    print(f"final val accuracy: {accuracy(model, val_loader):.4f}")


if __name__ == "__main__":
    main(HPARAMS)
