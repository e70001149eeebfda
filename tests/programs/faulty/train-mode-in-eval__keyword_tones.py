"""Classify short synthetic 'spoken command' waveforms with a 1-D CNN.

fault: train-mode-in-eval
also:
split: test
line: 58
"""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

COMMANDS = ["up", "down", "left", "right", "stop"]
SR, LENGTH = 1000, 400


class CommandDataset(Dataset):
    """Clips are listed command by command, like folders on disk."""

    def __init__(self, per_class, seed):
        rng = np.random.default_rng(seed)
        self.clips, self.labels = [], []
        t = np.arange(LENGTH) / SR
        for label in range(len(COMMANDS)):
            for _ in range(per_class):
                f0 = 60 + 22 * label + rng.normal(0, 5)
                sweep = 30 * (label % 2) * t
                wave = np.sin(2 * np.pi * (f0 + sweep) * t + rng.uniform(0, 6.28))
                wave += 0.4 * np.sin(4 * np.pi * f0 * t)
                wave *= np.exp(-((t - rng.uniform(0.15, 0.25)) ** 2) / 0.01)
                wave = rng.uniform(0.7, 1.3) * wave + rng.normal(0, 0.25, LENGTH)
                self.clips.append(torch.tensor(wave[None], dtype=torch.float32))
                self.labels.append(label)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.clips[i], self.labels[i]


def conv_block(cin, cout, stride):
    return nn.Sequential(nn.Conv1d(cin, cout, 9, stride=stride, padding=4), nn.BatchNorm1d(cout), nn.ReLU())


class CommandNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv_block(1, 16, 2), conv_block(16, 32, 2), conv_block(32, 48, 2))
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(48, len(COMMANDS))

    def forward(self, x):
        return self.fc(self.drop(self.body(x).mean(-1)))


def evaluate(model, loader):
    correct = total = 0
    with torch.no_grad():
        for clip, label in loader:
            correct += (model(clip).argmax(1) == label).sum().item()
            total += len(label)
    return correct / total


def main():
    torch.manual_seed(0)
    train_loader = DataLoader(CommandDataset(240, seed=1), batch_size=32, shuffle=True)
    test_loader = DataLoader(CommandDataset(96, seed=2), batch_size=32)
    model = CommandNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(12):
        model.train()
        losses = []
        for clip, label in train_loader:
            loss = criterion(model(clip), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1:2d} loss {np.mean(losses):.4f} test acc {evaluate(model, test_loader):.4f}")


main()
