"""Regression on Friedman's function.

fault: loss-broadcast
also: 
split: test
line: 48
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.set_num_threads(1)
torch.manual_seed(1)


def get_data():
    X, y = make_friedman1(n_samples=2000, n_features=10, noise=0.5, random_state=1)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=1)
    sx = StandardScaler().fit(X_train)
    m, s = y_train.mean(), y_train.std()
    tensors = [sx.transform(X_train), (y_train - m) / s, sx.transform(X_test), (y_test - m) / s]
    return [torch.tensor(t, dtype=torch.float32) for t in tensors]


def build_model(n_in):
    return nn.Sequential(
        nn.Linear(n_in, 64),
        nn.SiLU(),
        nn.Linear(64, 64),
        nn.SiLU(),
        nn.Linear(64, 1),
    )


def train(model, loader, epochs=25, lr=0.05):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        model.train()
        running_loss = 0.0
        for inputs, targets in loader:
            outputs = model(inputs)
            loss = ((outputs - targets) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running_loss += loss.item()
        scheduler.step()
        if (epoch + 1) % 5 == 0:
            print(f"Epoch {epoch + 1}: loss = {running_loss / len(loader):.4f}, lr = {scheduler.get_last_lr()[0]:.4f}")


def main():
    X_train, y_train, X_test, y_test = get_data()
    loader = DataLoader(TensorDataset(X_train, y_train), batch_size=32, shuffle=True)
    model = build_model(X_train.shape[1])
    train(model, loader)
    model.eval()
    with torch.no_grad():
        pred = model(X_test).squeeze(1)
    print("Test R2: %.4f" % r2_score(y_test.numpy(), pred.numpy()))


main()
