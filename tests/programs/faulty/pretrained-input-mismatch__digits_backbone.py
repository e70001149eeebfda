"""A backbone trained on the digits 0 to 4 is saved and loaded, and a new head learns the others on top of it.

fault: pretrained-input-mismatch
also: input-not-scaled, preprocessing-differs
split: train
line: 57
"""

import io

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
IMAGES = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1)
LABELS = torch.tensor(digits.target)


def make_backbone():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.Conv2d(16, 24, 3),
        nn.BatchNorm2d(24),
        nn.ReLU(),
        nn.Flatten(),
    )


def pretrain():
    known = LABELS < 5
    images, labels = (IMAGES[known] - 4.9) / 6.0, LABELS[known]
    backbone, head = make_backbone(), nn.Linear(384, 5)
    optimizer = torch.optim.Adam([*backbone.parameters(), *head.parameters()], lr=2e-3)
    for _ in range(3):
        for rows in torch.randperm(len(images)).split(32):
            loss = F.cross_entropy(head(backbone(images[rows])), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    file = io.BytesIO()
    torch.save(backbone.state_dict(), file)
    file.seek(0)
    return file


def main():
    torch.set_num_threads(1)
    torch.manual_seed(242)
    backbone = make_backbone()
    backbone.load_state_dict(torch.load(pretrain()))
    backbone.requires_grad_(False).eval()
    new = LABELS >= 5
    images, labels = IMAGES[new] / 255, LABELS[new] - 5
    order = torch.randperm(len(images))
    train, test = order[:300], order[300:]
    head = nn.Linear(384, 5)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(6):
        for rows in train[torch.randperm(len(train))].split(30):
            loss = F.cross_entropy(head(backbone(images[rows])), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (head(backbone(images[test])).argmax(1) == labels[test]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
