"""A digit CNN with a one-cycle schedule, written as a class with a fit method.

fault: scheduler-never-stepped
also: learning-rate-too-low
split: train
line: 20
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, model, train, valid, max_lr, epochs):
        self.model, self.valid, self.epochs = model, valid, epochs
        self.loader = DataLoader(train, batch_size=64, shuffle=True)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=max_lr, momentum=0.9)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=max_lr, epochs=epochs, steps_per_epoch=len(self.loader), div_factor=100
        )
        self.loss_func = nn.CrossEntropyLoss()

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            for images, labels in self.loader:
                self.optimizer.zero_grad()
                loss = self.loss_func(self.model(images), labels)
                loss.backward()
                self.optimizer.step()
            print(f"epoch {epoch} loss {loss.item():.4f} valid {self.validate():.3f}")

    def validate(self):
        self.model.eval()
        images, labels = self.valid.tensors
        with torch.no_grad():
            return (self.model(images).argmax(1) == labels).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(34)
    images, labels = load_digits(return_X_y=True)
    images = (torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8) - 4.9) / 6.0
    labels = torch.tensor(labels)
    order = torch.randperm(len(images))
    train = TensorDataset(images[order[:1500]], labels[order[:1500]])
    valid = TensorDataset(images[order[1500:]], labels[order[1500:]])
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(256, 10)
    )
    Learner(model, train, valid, max_lr=0.05, epochs=6).fit()


if __name__ == "__main__":
    main()
