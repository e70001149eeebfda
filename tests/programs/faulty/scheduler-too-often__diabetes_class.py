"""Disease progression by a small network, with a trainer as a class.

fault: scheduler-too-often
also:
split: test
line: 48
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Dataset, random_split


class Table(Dataset):
    def __init__(self):
        data = load_diabetes()
        self.x = torch.tensor(StandardScaler().fit_transform(data.data), dtype=torch.float32)
        t = torch.tensor(data.target, dtype=torch.float32)
        self.y = ((t - t.mean()) / t.std()).unsqueeze(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Trainer:
    def __init__(self, model, train_set, val_set, lr=0.05, epochs=30):
        self.model = model
        self.train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
        self.val_loader = DataLoader(val_set, batch_size=64)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.92)
        self.loss = nn.MSELoss()
        self.epochs = epochs

    def train_epoch(self):
        self.model.train()
        losses = []
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        se, n = 0.0, 0
        for x, y in self.val_loader:
            se += ((self.model(x) - y) ** 2).sum().item()
            n += len(x)
        return se / n

    def run(self):
        for epoch in range(self.epochs):
            train_loss = self.train_epoch()
            if epoch % 5 == 4:
                print(f"epoch {epoch + 1}: train {train_loss:.3f} val {self.validate():.3f}")


if __name__ == "__main__":
    torch.manual_seed(7)
    train_set, val_set = random_split(Table(), [342, 100])
    Trainer(nn.Sequential(nn.Linear(10, 12), nn.Tanh(), nn.Linear(12, 1)), train_set, val_set, lr=0.02).run()
