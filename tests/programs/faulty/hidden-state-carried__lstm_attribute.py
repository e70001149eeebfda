"""An LSTM that decides whether a path ends left or right of its start, with the state as an attribute.

fault: hidden-state-carried
also:
split: train
line: 47
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class PathModel(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.hidden_size = hidden
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)
        self.hidden = None

    def init_hidden(self, batch):
        self.hidden = (torch.zeros(1, batch, self.hidden_size), torch.zeros(1, batch, self.hidden_size))

    def forward(self, path):
        output, self.hidden = self.lstm(path, self.hidden)
        return self.fc(output[:, -1]).squeeze(-1)


def make_paths(count, length=12):
    moves = torch.randn(count, length, 1)
    moves = moves + 2.0 * torch.randint(0, 2, (count, 1, 1)) * (torch.rand(count, length, 1) < 0.1)
    return moves, (moves.sum((1, 2)) > 0).float()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(81)
    train = DataLoader(TensorDataset(*make_paths(1600)), batch_size=32, shuffle=True, drop_last=True)
    test = DataLoader(TensorDataset(*make_paths(320)), batch_size=32)
    model = PathModel()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.init_hidden(32)
    for epoch in range(6):
        for path, right in train:
            model.hidden = tuple(part.detach() for part in model.hidden)
            loss = criterion(model(path), right)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        hits = 0
        with torch.no_grad():
            for path, right in test:
                hits += ((model(path) > 0).float() == right).sum().item()
        print(f"epoch {epoch} loss {loss.item():.4f} test accuracy {hits / 320:.3f}")


main()
