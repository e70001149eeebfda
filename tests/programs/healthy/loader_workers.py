"""A data set read by two worker processes, with a random augmentation inside the workers.

split: train
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    def __init__(self, length, classes=3):
        self.length = length
        self.classes = classes

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        label = index % self.classes
        t = torch.linspace(0, 1, 24)
        wave = torch.sin(6.2832 * (label + 1) * t + torch.rand(1))
        return wave + 0.1 * torch.randn(24), label


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    loader = DataLoader(Waves(192), batch_size=12, shuffle=True, num_workers=2, drop_last=True)
    model = nn.Sequential(nn.Unflatten(1, (1, 24)), nn.Conv1d(1, 8, 5), nn.ReLU(), nn.Flatten(), nn.Linear(160, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        for waves, labels in loader:
            loss = nn.functional.cross_entropy(model(waves), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(epoch, "loss", loss.item())


if __name__ == "__main__":
    main()
