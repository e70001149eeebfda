"""A small student learns the soft labels of a teacher with the Kullback-Leibler divergence.

fault: missing-log
also:
split: test
line: 25
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Distiller:
    def __init__(self, teacher, student, temperature=2.0):
        self.teacher, self.student, self.temperature = teacher, student, temperature
        self.criterion = nn.KLDivLoss(reduction="batchmean")
        self.optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)

    def loss(self, x):
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / self.temperature, dim=1)
        guess = F.softmax(self.student(x) / self.temperature, dim=1)
        return self.criterion(guess, soft)

    def train(self, loader, epochs):
        for epoch in range(epochs):
            for (x,) in loader:
                loss = self.loss(x)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print(
                f"epoch {epoch}: divergence {loss.item():.4f} agreement {self.agreement(loader.dataset.tensors[0]):.3f}"
            )

    def agreement(self, x):
        with torch.no_grad():
            return (self.teacher(x).argmax(1) == self.student(x).argmax(1)).float().mean().item()


def make_teacher(features, classes):
    teacher = nn.Sequential(nn.Linear(features, 64), nn.Tanh(), nn.Linear(64, classes))
    for parameter in teacher.parameters():
        parameter.requires_grad_(False).mul_(6)
    return teacher.eval()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(108)
    loader = DataLoader(TensorDataset(torch.randn(2000, 10)), batch_size=50, shuffle=True)
    student = nn.Sequential(nn.Linear(10, 48), nn.ReLU(), nn.Linear(48, 6))
    Distiller(make_teacher(10, 6), student).train(loader, epochs=10)
