"""Pre-train on digits 0-4, freeze, and learn a new head for 5-9.

fault: optimizer-missing-parameters
also:
split: test
line: 54, 55
"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(), nn.Flatten())
        self.fc = nn.Linear(16 * 16, classes)

    def forward(self, x):
        return self.fc(self.features(x))


def run(net, loader, optimizer, epochs):
    for epoch in range(epochs):
        net.train()
        seen = hit = 0
        for x, y in loader:
            optimizer.zero_grad()
            out = net(x)
            nn.functional.cross_entropy(out, y).backward()
            optimizer.step()
            hit += (out.argmax(1) == y).sum().item()
            seen += len(y)
        print(f"  epoch {epoch} train acc {hit / seen:.3f}")


if __name__ == "__main__":
    torch.manual_seed(8)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(d.target)
    low, high = (y < 5).nonzero().squeeze(1), (y >= 5).nonzero().squeeze(1)
    high = high[torch.randperm(len(high))]
    source = DataLoader(TensorDataset(x[low], y[low]), batch_size=32, shuffle=True)
    target = DataLoader(TensorDataset(x[high[:600]], y[high[:600]] - 5), batch_size=32, shuffle=True)

    net = Net(5)
    print("source task")
    run(net, source, torch.optim.Adam(net.parameters(), lr=1e-3), 3)

    for p in net.features.parameters():
        p.requires_grad = False
    optimizer = torch.optim.Adam((p for p in net.parameters() if p.requires_grad), lr=3e-3)
    net.fc = nn.Linear(16 * 16, 5)
    print("target task")
    run(net, target, optimizer, 6)
    net.eval()
    with torch.no_grad():
        acc = (net(x[high[600:]]).argmax(1) == y[high[600:]] - 5).float().mean().item()
    print("SCORE", acc)
