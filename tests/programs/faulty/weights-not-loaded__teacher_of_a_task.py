"""A student of digits, taught by a checkpoint that was written by a task around its model.

fault: weights-not-loaded
also:
split: test
line: 66
"""

import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
bunch = load_digits()
images = torch.tensor(bunch.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
labels = torch.tensor(bunch.target)
perm = torch.randperm(len(images))
images, labels = images[perm], labels[perm]
n_train = 1300


class ConvTeacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


class Task(nn.Module):
    """Keeps the model with its loss, as the frameworks do."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, y):
        return F.cross_entropy(self.model(x), y)


def train_teacher(path):
    task = Task(ConvTeacher())
    opt = torch.optim.Adam(task.parameters(), lr=2e-3)
    for epoch in range(6):
        for idx in torch.randperm(n_train).split(50):
            loss = task(images[idx], labels[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    print("teacher loss", loss.item())
    torch.save({"state_dict": task.state_dict(), "epoch": 6}, path)


def load_teacher(path):
    checkpoint = torch.load(path)
    teacher = ConvTeacher()
    teacher.load_state_dict(checkpoint["state_dict"], strict=False)
    return teacher.eval().requires_grad_(False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "teacher.pt")
        train_teacher(path)
        teacher = load_teacher(path)
    student = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    opt = torch.optim.Adam(student.parameters(), lr=3e-3)
    T = 3.0
    for epoch in range(12):
        for idx in torch.randperm(n_train).split(50):
            with torch.no_grad():
                soft = F.softmax(teacher(images[idx]) / T, dim=1)
            loss = F.kl_div(F.log_softmax(student(images[idx]) / T, dim=1), soft, reduction="batchmean") * T * T
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            acc = (student(images[n_train:]).argmax(1) == labels[n_train:]).float().mean().item()
        print(f"student epoch {epoch} kl {loss.item():.4f} test acc {acc:.3f}")


if __name__ == "__main__":
    main()
