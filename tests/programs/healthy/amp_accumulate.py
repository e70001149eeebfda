"""Digits in bfloat16 with accumulated gradients.

split: test
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


class ResBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(c)
        self.conv2 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(c)
        nn.init.zeros_(self.bn2.weight)     # the block starts as the identity

    def forward(self, x):
        h = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(x + self.bn2(self.conv2(h)))


class TinyResNet(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.stem = nn.Conv2d(1, c, 3, padding=1)
        self.blocks = nn.Sequential(ResBlock(c), ResBlock(c))
        self.head = nn.Linear(c * 4, 10)

    def forward(self, x):
        h = self.blocks(torch.relu(self.stem(x)))
        return self.head(nn.functional.adaptive_avg_pool2d(h, 2).flatten(1))


class Trainer:
    def __init__(self, model, train_loader, val_loader, epochs=5, accumulate=2, max_lr=1e-2):
        self.model, self.train_loader, self.val_loader = model, train_loader, val_loader
        self.epochs, self.accumulate = epochs, accumulate
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        decay = [p for p in model.parameters() if p.ndim > 1]
        rest = [p for p in model.parameters() if p.ndim <= 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": decay, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}], lr=max_lr)
        updates = epochs * (len(train_loader) // accumulate)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, max_lr, total_steps=updates)

    def train_epoch(self):
        self.model.train()
        total, n = 0.0, 0
        for i, (x, y) in enumerate(self.train_loader):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = self.criterion(self.model(x), y)
            (loss / self.accumulate).backward()
            if (i + 1) % self.accumulate == 0:
                nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.optimizer.step()
                self.scheduler.step()
                self.optimizer.zero_grad(set_to_none=True)
            total += loss.item() * len(y)
            n += len(y)
        return total / n

    @torch.inference_mode()
    def evaluate(self):
        self.model.eval()
        hits = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_loader)
        return hits / len(self.val_loader.dataset)

    def fit(self):
        for epoch in range(self.epochs):
            loss = self.train_epoch()
            lr = self.optimizer.param_groups[0]["lr"]
            print(f"epoch {epoch + 1} loss {loss:.4f} val acc {self.evaluate():.4f} lr {lr:.2e}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(31)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1)
    perm = torch.randperm(len(x))
    x = x[perm]
    x = (x - x[:1440].mean()) / x[:1440].std()
    y = torch.tensor(d.target)[perm]
    train = TensorDataset(x[:1440], y[:1440])
    val = TensorDataset(x[1440:], y[1440:])
    Trainer(TinyResNet(), DataLoader(train, 36, shuffle=True, drop_last=True), DataLoader(val, 128)).fit()
