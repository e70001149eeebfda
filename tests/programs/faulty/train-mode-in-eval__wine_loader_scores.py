"""A wine classifier with two dropout layers whose test accuracy is counted after every third epoch.

fault: train-mode-in-eval
also:
split: train
line: 32
"""

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_model(features, classes):
    return nn.Sequential(
        nn.Linear(features, 48),
        nn.ReLU(),
        nn.Dropout(0.7),
        nn.Linear(48, 48),
        nn.ReLU(),
        nn.Dropout(0.7),
        nn.Linear(48, classes),
    )


def accuracy(model, loader):
    right = total = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
        total += len(y)
    return right / total


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    data, target = load_wine(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(data, target, test_size=0.4, random_state=3, stratify=target)
    scaler = StandardScaler().fit(x_train)
    train, test = (
        TensorDataset(torch.tensor(scaler.transform(x), dtype=torch.float32), torch.tensor(y))
        for x, y in ((x_train, y_train), (x_test, y_test))
    )
    train_loader = DataLoader(train, batch_size=16, shuffle=True)
    test_loader = DataLoader(test, batch_size=16)
    model = make_model(data.shape[1], 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(1, 31):
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch} loss {loss.item():.3f} test accuracy {accuracy(model, test_loader):.3f}")


if __name__ == "__main__":
    main()
