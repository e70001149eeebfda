"""A GRU that classifies short noisy series, with the training and the validation part drawn by random_split.

fault: split-leak
also:
split: test
line: 31
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def recordings(count, length=16):
    kind = torch.randint(0, 2, (count,))
    level = 0.25 * (kind.float() - 0.5).unsqueeze(1)
    return (level + torch.randn(count, length)).unsqueeze(-1), kind


class SeriesNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 48, batch_first=True)
        self.head = nn.Linear(48, 2)

    def forward(self, series):
        return self.head(self.gru(series)[1][-1])


def get_loader(dataset, part):
    train, valid = random_split(dataset, [0.75, 0.25])
    return DataLoader(train, 32, shuffle=True) if part == "train" else DataLoader(valid, 100)


torch.set_num_threads(1)
torch.manual_seed(241)
dataset = TensorDataset(*recordings(400))
train_loader, valid_loader = get_loader(dataset, "train"), get_loader(dataset, "valid")
model = SeriesNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(40):
    model.train()
    for series, kind in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(series), kind)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = torch.cat([model(series).argmax(1) == kind for series, kind in valid_loader])
    if epoch % 8 == 7:
        print(f"epoch {epoch} loss {loss.item():.4f} validation accuracy {right.float().mean().item():.3f}")
