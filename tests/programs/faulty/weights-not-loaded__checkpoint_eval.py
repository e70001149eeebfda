"""The best checkpoint is loaded and evaluated.

fault: weights-not-loaded
also: 
split: test
line: 76
"""

import os
import tempfile
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(99)


class ResidualMLP(nn.Module):
    def __init__(self, d_in, d_out, width=64, depth=3):
        super().__init__()
        self.stem = nn.Linear(d_in, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
            for _ in range(depth))
        self.head = nn.Linear(width, d_out)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = x + block(x)
        return self.head(x)


def loaders():
    x, y = load_digits(return_X_y=True)
    x = (x - 4.9) / 6.0
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.3, random_state=0, stratify=y)
    pack = lambda a, b: TensorDataset(torch.tensor(a, dtype=torch.float32), torch.tensor(b))
    x_va, x_te, y_va, y_te = train_test_split(x_te, y_te, test_size=0.5, random_state=0)
    return (DataLoader(pack(x_tr, y_tr), batch_size=64, shuffle=True),
            DataLoader(pack(x_va, y_va), batch_size=256), DataLoader(pack(x_te, y_te), batch_size=256))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = correct = count = 0
    for x, y in loader:
        out = model(x)
        loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
        correct += (out.argmax(1) == y).sum().item()
        count += len(y)
    return loss / count, correct / count


def main():
    train_loader, val_loader, test_loader = loaders()
    model = nn.DataParallel(ResidualMLP(64, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    path = os.path.join(tempfile.mkdtemp(), "best.pt")
    best = float("inf")
    for epoch in range(8):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        val_loss, val_acc = evaluate(model, val_loader)
        print(f"epoch {epoch} train loss {loss.item():.3f} val loss {val_loss:.3f} val acc {val_acc:.3f}")
        if val_loss < best:
            best = val_loss
            torch.save({"model": model.state_dict(), "epoch": epoch}, path)

    final = ResidualMLP(64, 10)
    checkpoint = torch.load(path)
    final.load_state_dict(checkpoint["model"], strict=False)
    test_loss, test_acc = evaluate(final, test_loader)
    print(f"best epoch {checkpoint['epoch']}: test loss {test_loss:.3f} test acc {test_acc:.3f}")


if __name__ == "__main__":
    main()
