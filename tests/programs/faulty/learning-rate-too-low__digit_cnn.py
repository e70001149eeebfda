"""A convolutional network on digits with SGD, written as a class with fit and score.

fault: learning-rate-too-low
also:
split: train
line: 16
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier:
    def __init__(self, lr=1e-5, batch_size=40):
        self.net = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(24 * 16, 10),
        )
        self.batch_size = batch_size
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9)
        self.loss = nn.CrossEntropyLoss()

    def fit(self, x, y, epochs):
        for epoch in range(epochs):
            for images, labels in DataLoader(TensorDataset(x, y), self.batch_size, shuffle=True):
                self.optimizer.zero_grad()
                loss = self.loss(self.net(images), labels)
                loss.backward()
                self.optimizer.step()
            print(f"epoch {epoch} loss {loss.item():.4f}")

    def score(self, x, y):
        with torch.no_grad():
            return (self.net(x).argmax(1) == y).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(411)
digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1)
x, y = (x - x.mean()) / x.std(), torch.tensor(digits.target)
shuffled = torch.randperm(len(x))
x, y = x[shuffled], y[shuffled]
classifier = Classifier()
classifier.fit(x[:1500], y[:1500], epochs=5)
print("test accuracy", round(classifier.score(x[1500:], y[1500:]), 3))
