"""Patients classified as ill or healthy by a network; the smaller class is repeated so that both are equally frequent.

fault: split-leak
also:
split: train
line: 39
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def measurements(count):
    x = torch.randn(count, 15)
    ill = (x[:, 0] + x[:, 1] * x[:, 2] + 1.5 * torch.randn(count) > 1.2).long()
    return x, ill


def balance(x, ill):
    sick = (ill == 1).nonzero()[:, 0]
    wanted = int((ill == 0).sum()) * 3
    rows = torch.cat([(ill == 0).nonzero()[:, 0].repeat(3), sick[torch.randint(0, len(sick), (wanted,))]])
    return x[rows], ill[rows]


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        right = [model(x).argmax(1) == y for x, y in loader]
    return torch.cat(right).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(240)
    x, ill = measurements(500)
    x, ill = balance(x, ill)
    dataset = TensorDataset(x, ill)
    size = len(dataset) // 5
    train, valid = random_split(dataset, [len(dataset) - size, size])
    train_loader = DataLoader(train, batch_size=64, shuffle=True)
    valid_loader = DataLoader(valid, batch_size=200)
    model = nn.Sequential(nn.Linear(15, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(15):
        model.train()
        for features, labels in train_loader:
            loss = F.cross_entropy(model(features), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} validation accuracy {accuracy(model, valid_loader):.3f}")


if __name__ == "__main__":
    main()
