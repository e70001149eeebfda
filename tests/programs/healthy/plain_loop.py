"""The loop of every tutorial: forward, loss, backward, step, over three epochs of a shuffled loader.

split: train
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(20, 32)
        self.fc2 = nn.Linear(32, 3)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    features = torch.randn(256, 20)
    labels = features[:, :3].argmax(1)
    loader = DataLoader(TensorDataset(features, labels), batch_size=16, shuffle=True)

    model = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), targets)
            loss.backward()
            optimizer.step()
            print(f"epoch {epoch} loss {loss.item()!r}")


if __name__ == "__main__":
    main()
