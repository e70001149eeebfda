"""A small convolution network with batch norm on digits.

fault: gradients-zeroed-before-step
also: 
split: test
line: 47
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(11)


class SmallCNN(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(32 * 4, 64), nn.ReLU(), nn.Linear(64, n_classes))

    def forward(self, x):
        return self.classifier(self.features(x))


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr=2e-3, weight_decay=1e-2):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)
        self.criterion = nn.CrossEntropyLoss()

    def training_step(self, batch):
        images, labels = batch
        logits = self.model(images)
        loss = self.criterion(logits, labels)
        loss.backward()
        self.optimizer.zero_grad()
        self.optimizer.step()
        return loss.item()

    def train_epoch(self):
        self.model.train()
        losses = [self.training_step(b) for b in self.train_loader]
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        correct = total = 0
        for images, labels in self.val_loader:
            pred = self.model(images).argmax(1)
            correct += (pred == labels).sum().item()
            total += labels.numel()
        return correct / total

    def fit(self, epochs):
        for epoch in range(1, epochs + 1):
            loss = self.train_epoch()
            acc = self.validate()
            print(f"epoch {epoch:2d}  train loss {loss:.4f}  val acc {acc:.3f}")


def main():
    data = load_digits()
    x = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16.0
    x = (x - x.mean()) / x.std()
    y = torch.tensor(data.target)
    xtr, xva, ytr, yva = train_test_split(x, y, test_size=0.25, stratify=data.target, random_state=0)
    train_loader = DataLoader(TensorDataset(xtr, ytr), batch_size=64, shuffle=True)
    val_loader = DataLoader(TensorDataset(xva, yva), batch_size=256)
    Trainer(SmallCNN(), train_loader, val_loader).fit(epochs=8)


if __name__ == "__main__":
    main()
