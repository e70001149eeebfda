"""A backbone that is frozen first, then tuned at a tiny rate.

split: test
"""

import copy
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(71)
np.random.seed(71)

images, labels = load_digits(return_X_y=True)
images = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8)
labels = torch.tensor(labels)
order = torch.randperm(len(labels))
images, labels = images[order], labels[order]
x_train, x_test = images[:1300], images[1300:]
y_train, y_test = labels[:1300], labels[1300:]
mean, std = x_train.mean(), x_train.std()
x_train, x_test = (x_train - mean) / std, (x_test - mean) / std


def backbone():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU())


def epoch_of(model, opt, x, y, frozen=None):
    model.train()
    if frozen is not None:
        frozen.eval()
    total = 0.0
    for ix in torch.randperm(len(x)).split(50):
        loss = nn.functional.cross_entropy(model(x[ix]), y[ix])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(ix)
    return total / len(x)


@torch.no_grad()
def score(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


print("== pretraining: odd or even")
body = backbone()
source = nn.Sequential(body, nn.Linear(64, 2))
opt = torch.optim.Adam(source.parameters(), lr=1e-3)
for e in range(4):
    print(f"  loss {epoch_of(source, opt, x_train, y_train % 2):.4f} acc {score(source, x_test, y_test % 2):.3f}")

print("== new head, backbone frozen")
student = nn.Sequential(copy.deepcopy(body), nn.Linear(64, 10))
for p in student[0].parameters():
    p.requires_grad = False
opt = torch.optim.Adam(student[1].parameters(), lr=1e-2)
for e in range(5):
    print(f"  loss {epoch_of(student, opt, x_train, y_train, frozen=student[0]):.4f} acc {score(student, x_test, y_test):.3f}")

print("== everything, tiny rate")
for p in student.parameters():
    p.requires_grad = True
opt = torch.optim.AdamW([{"params": student[0].parameters(), "lr": 1e-4},
                         {"params": student[1].parameters(), "lr": 1e-3}], weight_decay=0.01)
for e in range(5):
    print(f"  loss {epoch_of(student, opt, x_train, y_train):.4f} acc {score(student, x_test, y_test):.3f}")
