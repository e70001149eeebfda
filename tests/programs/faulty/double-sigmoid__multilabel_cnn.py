"""A CNN that names all marks on a picture, several at once.

fault: double-sigmoid
also:
split: train
line: 54
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MarkNet(nn.Module):
    def __init__(self, marks):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 9, marks)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return torch.sigmoid(self.fc(x.flatten(1)))


def marked_pictures(count):
    marks = (torch.rand(count, 4) < 0.2).float()
    picture = 0.3 * torch.randn(count, 1, 12, 12)
    picture[:, 0, 1:3, 1:11] += marks[:, 0].view(-1, 1, 1)
    picture[:, 0, 1:11, 9:11] += marks[:, 1].view(-1, 1, 1)
    picture[:, 0, 5:8, 4:7] += marks[:, 2].view(-1, 1, 1)
    picture[:, 0, 9:11, 1:8] -= marks[:, 3].view(-1, 1, 1)
    return picture, marks


def f1(output, marks):
    guess = (torch.sigmoid(output) > 0.5).float()
    hits = (guess * marks).sum()
    return (2 * hits / (guess.sum() + marks.sum()).clamp(min=1)).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(104)
    loader = DataLoader(TensorDataset(*marked_pictures(1500)), batch_size=50, shuffle=True)
    test_pictures, test_marks = marked_pictures(300)
    model = MarkNet(4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(8):
        for pictures, marks in loader:
            optimizer.zero_grad()
            loss = F.binary_cross_entropy_with_logits(model(pictures), marks)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            score = f1(model(test_pictures), test_marks)
        print(f"epoch {epoch}: loss {loss.item():.4f} test F1 {score:.3f}")


main()
