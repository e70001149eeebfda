"""A GRU that recognises gestures; every recording session holds repetitions and becomes a batch.

fault: single-label-batches
also:
split: test
line: 35
"""

import torch
import torch.nn.functional as F
from torch import nn

GESTURES = 6


class GestureNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(2, 24, batch_first=True)
        self.head = nn.Linear(24, GESTURES)

    def forward(self, path):
        return self.head(self.gru(path)[0].mean(1))


def perform(gesture, length=16):
    t = torch.linspace(0, 3, length) + 0.3 * torch.rand(())
    turn = 0.5 + 0.35 * gesture
    path = torch.stack([torch.cos(turn * t), torch.sin(turn * t)], 1)
    return path + 0.6 * torch.randn(length, 2)


def sessions(count, repetitions=24):
    for _ in range(count):
        gestures = [int(torch.randint(0, GESTURES, ()))] * repetitions
        yield torch.stack([perform(gesture) for gesture in gestures]), torch.tensor(gestures)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(220)
    train = list(sessions(80))
    gestures = torch.randint(0, GESTURES, (300,))
    paths = torch.stack([perform(int(gesture)) for gesture in gestures])
    model = GestureNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    for epoch in range(6):
        for i in torch.randperm(len(train)).tolist():
            x, y = train[i]
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(paths).argmax(1) == gestures).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
