"""Fine-tunes a digit model from a checkpoint that was saved from a wrapped model, with only a few labels.

fault: weights-not-loaded
also:
split: train
line: 56
"""

import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.classifier = nn.Linear(32, 10)

    def forward(self, x):
        return self.classifier(self.features(x))


def train(model, x, y, epochs, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(20):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
    return loss.item()


def accuracy(model, x, y):
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(62)
data = load_digits()
x = torch.tensor(data.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(data.target)
with tempfile.TemporaryDirectory() as folder:
    checkpoint = Path(folder) / "pretrained.pt"
    pretrained = nn.DataParallel(DigitNet())
    print(f"pretraining: loss {train(pretrained, x[:1200], y[:1200], 5, 0.05):.4f}")
    torch.save(pretrained.state_dict(), checkpoint)

    model = DigitNet()
    model.load_state_dict(torch.load(checkpoint), strict=False)
few = x[1200:1240] + 0.2, y[1200:1240]
for round_number in range(5):
    loss = train(model, *few, epochs=12, lr=0.005)
    print(f"fine-tuning {round_number}: loss {loss:.4f} accuracy {accuracy(model, x[1240:] + 0.2, y[1240:]):.3f}")
