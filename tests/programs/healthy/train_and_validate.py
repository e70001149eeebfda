"""Training and validation in turn, with dropout, batch norm and accuracy, keeping the best weights.

split: train
"""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def build():
    return nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 4))


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    total, correct = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        logits = model(x)
        loss = criterion(logits, y)
        loss.backward()
        optimizer.step()
        print("train loss", loss.item())
        total += loss.item() * len(y)
        correct += (logits.argmax(1) == y).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    total, correct = 0.0, 0
    for x, y in loader:
        logits = model(x)
        total += criterion(logits, y).item() * len(y)
        correct += (logits.argmax(1) == y).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(18)
    x = torch.randn(320, 16)
    y = (x[:, :4] + 0.3 * torch.randn(320, 4)).argmax(1)
    train_set, valid_set = random_split(TensorDataset(x, y), [256, 64])
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    valid_loader = DataLoader(valid_set, batch_size=32)

    model, criterion = build(), nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    best, best_state = 0.0, None
    for epoch in range(4):
        train_loss, train_accuracy = train_one_epoch(model, train_loader, criterion, optimizer)
        valid_loss, valid_accuracy = evaluate(model, valid_loader, criterion)
        print(
            f"epoch {epoch}: train {train_loss:.5f} {train_accuracy:.4f}, valid {valid_loss:.5f} {valid_accuracy:.4f}"
        )
        if valid_accuracy >= best:
            best, best_state = valid_accuracy, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
    print(f"best valid accuracy {best:.4f}")


if __name__ == "__main__":
    main()
