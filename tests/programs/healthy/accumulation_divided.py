"""Four micro-batches per update with the loss divided by four; the last, incomplete group is stepped as well.

split: train
"""

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4


class Trainer:
    def __init__(self, model, loader, lr):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.criterion = nn.BCEWithLogitsLoss()

    def epoch(self):
        self.model.train()
        self.optimizer.zero_grad()
        total = 0.0
        for index, (x, y) in enumerate(self.loader, start=1):
            loss = self.criterion(self.model(x).squeeze(-1), y) / ACCUMULATE
            loss.backward()
            total += loss.item() * ACCUMULATE
            if index % ACCUMULATE == 0 or index == len(self.loader):
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()
        return total / len(self.loader)

    @torch.no_grad()
    def accuracy(self, x, y):
        self.model.eval()
        return ((self.model(x).squeeze(-1) > 0) == y.bool()).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(40)
    x, y = load_breast_cancer(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, random_state=1, stratify=y)
    scaler = StandardScaler().fit(x_train)
    x_train = torch.tensor(scaler.transform(x_train), dtype=torch.float32)
    x_test = torch.tensor(scaler.transform(x_test), dtype=torch.float32)
    y_train, y_test = torch.tensor(y_train, dtype=torch.float32), torch.tensor(y_test, dtype=torch.float32)
    model = nn.Sequential(nn.Linear(30, 32), nn.GELU(), nn.Linear(32, 1))
    trainer = Trainer(model, DataLoader(TensorDataset(x_train, y_train), batch_size=8, shuffle=True), lr=3e-3)
    for number in range(12):
        print(number, round(trainer.epoch(), 4), round(trainer.accuracy(x_test, y_test), 3))


if __name__ == "__main__":
    main()
