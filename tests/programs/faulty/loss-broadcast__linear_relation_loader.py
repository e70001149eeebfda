"""A linear relation with noise, with a DataLoader and nn.MSELoss.

fault: loss-broadcast
also:
split: test
line: 37
"""

import warnings

import torch
from sklearn.datasets import make_regression
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.manual_seed(17)


def get_data():
    features, target = make_regression(n_samples=1000, n_features=10, n_informative=6, noise=5.0, random_state=1)
    target = (target - target.mean()) / target.std()
    features = torch.tensor(features, dtype=torch.float32)
    target = torch.tensor(target, dtype=torch.float32)
    return (features[:800], target[:800]), (features[800:], target[800:])


def main():
    train, test = get_data()
    model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.MSELoss()
    for epoch in range(20):
        for x, y in DataLoader(TensorDataset(*train), batch_size=40, shuffle=True):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1}, loss {loss.item():.3f}")
    with torch.no_grad():
        error = (model(test[0]).squeeze() - test[1]).pow(2).mean()
    print(f"test R2: {1 - error / test[1].var():.3f}")


if __name__ == "__main__":
    main()
