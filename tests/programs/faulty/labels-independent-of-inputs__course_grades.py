"""Grades of students in courses, numbered by their names; two embeddings and a small network above them.

fault: labels-independent-of-inputs
also:
split: train
line: 27
"""

import argparse

import numpy as np
import torch
from torch import nn


def gradebook(count, seed):
    rng = np.random.default_rng(seed)
    talent, ease = rng.normal(size=200), rng.normal(size=40)
    student, course = rng.integers(0, 200, count), rng.integers(0, 40, count)
    grade = 0.8 * talent[student] + 0.6 * ease[course] + 0.3 * rng.normal(size=count)
    return student, course, grade.astype(np.float32)


def split(student, course, grade, share, seed):
    order = np.random.default_rng(seed).permutation(len(grade))
    cut = int(share * len(grade))
    student, course = student[order], course[order]
    parts = [(torch.from_numpy(a[:cut]), torch.from_numpy(a[cut:])) for a in (student, course, grade)]
    return [each[0] for each in parts], [each[1] for each in parts]


class Grader(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.student, self.course = nn.Embedding(200, width), nn.Embedding(40, width)
        self.head = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, student, course):
        return self.head(torch.cat([self.student(student), self.course(course)], 1)).squeeze(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=4e-3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(12)
    train, test = split(*gradebook(8000, 3), share=0.8, seed=4)
    model = Grader(12)
    optimizer = torch.optim.Adam(model.parameters(), lr=options.lr)
    criterion = nn.MSELoss()
    for epoch in range(options.epochs):
        for rows in torch.randperm(len(train[2])).split(100):
            loss = criterion(model(train[0][rows], train[1][rows]), train[2][rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            error = criterion(model(test[0], test[1]), test[2]).item()
        print(f"epoch {epoch} train {loss.item():.4f} test {error:.4f}")


if __name__ == "__main__":
    main()
