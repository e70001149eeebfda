"""Cnn digits.

split: test
"""

# Small convnet on the 8x8 digits; batch norm, SGD with one-cycle schedule.
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset, DataLoader


class Digits(Dataset):
    def __init__(self, images, labels, augment=False):
        self.images = torch.from_numpy(images).float().unsqueeze(1) / 16.0
        self.labels = torch.from_numpy(labels).long()
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = self.images[i]
        if self.augment:
            dx, dy = torch.randint(0, 3, (2,)).tolist()
            x = F.pad(x, (1, 1, 1, 1))[:, dy:dy + 8, dx:dx + 8]
        return (x - 0.3) / 0.37, self.labels[i]


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(block(1, 16), block(16, 32), nn.MaxPool2d(2), block(32, 48), nn.MaxPool2d(2))
        self.classifier = nn.Linear(48 * 4, 10)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return right / len(loader.dataset)


def main():
    torch.manual_seed(42)
    d = load_digits()
    xtr, xte, ytr, yte = train_test_split(d.images, d.target, test_size=0.2, stratify=d.target, random_state=42)
    train = DataLoader(Digits(xtr, ytr, augment=True), batch_size=64, shuffle=True, drop_last=True)
    test = DataLoader(Digits(xte, yte), batch_size=256)
    model = ConvNet()
    epochs = 18
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4, nesterov=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=epochs * len(train))
    for ep in range(epochs):
        model.train()
        run = 0.0
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item()
        print(f"[{ep + 1}/{epochs}] loss={run / len(train):.4f} test_acc={accuracy(model, test):.4f} lr={sched.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    main()
