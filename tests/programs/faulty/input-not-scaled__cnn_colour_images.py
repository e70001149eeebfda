"""Colour pictures of coloured squares in noise, a convolutional network, DataLoader and SGD with momentum.

fault: input-not-scaled
also:
split: train
line: 31
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

CLASSES = 4


class Squares(Dataset):
    def __init__(self, count, seed):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, CLASSES, (count,), generator=g)
        self.x = torch.randint(0, 200, (count, 3, 12, 12), generator=g, dtype=torch.uint8)
        corner = torch.randint(0, 8, (count, 2), generator=g)
        for image, label, (row, column) in zip(self.x, self.y, corner.tolist(), strict=True):
            image[label % 2, row : row + 4, column : column + 4] = 255
            image[1 + label // 2, row : row + 4, column : column + 4] = 220

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        return self.x[index].float(), self.y[index]


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(3, 12, 3)
        self.c2 = nn.Conv2d(12, 16, 3)
        self.out = nn.Linear(16, CLASSES)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.relu(self.c2(x))
        return self.out(x.amax((2, 3)))


def run():
    torch.set_num_threads(1)
    torch.manual_seed(207)
    train = DataLoader(Squares(1500, 1), batch_size=32, shuffle=True)
    valid = DataLoader(Squares(300, 2), batch_size=100)
    model = ConvNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(8):
        model.train()
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            hits = sum((model(x).argmax(1) == y).sum().item() for x, y in valid)
        print(f"epoch {epoch} loss {loss.item():.4f} valid accuracy {hits / 300:.3f}")


if __name__ == "__main__":
    run()
