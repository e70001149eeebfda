"""Shapes that are drawn class by class.

fault: labels-sorted
also:
split: test
line: 55
"""

import torch
import torch.nn as nn
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset

S = 16
NAMES = ["circle", "square", "cross", "bar"]


def draw(kind, g):
    img = torch.zeros(S, S)
    cy, cx = torch.randint(5, S - 5, (2,), generator=g).tolist()
    r = int(torch.randint(3, 5, (1,), generator=g))
    yy, xx = torch.meshgrid(torch.arange(S), torch.arange(S), indexing="ij")
    dy, dx = (yy - cy).abs(), (xx - cx).abs()
    if kind == "circle":
        d = (dy ** 2 + dx ** 2).float().sqrt()
        img[(d - r).abs() < 0.7] = 1
    elif kind == "square":
        img[torch.maximum(dy, dx) == r] = 1
    elif kind == "cross":
        img[((dy == 0) | (dx == 0)) & (torch.maximum(dy, dx) <= r)] = 1
    else:
        img[(dy <= 1) & (dx <= r)] = 1
    return img + 0.2 * torch.randn(S, S, generator=g)


def class_folder(label, n, seed):
    g = torch.Generator().manual_seed(seed * 100 + label)
    x = torch.stack([draw(NAMES[label], g) for _ in range(n)]).unsqueeze(1)
    return TensorDataset(x, torch.full((n,), label))


def dataset(n_per_class, seed):
    return ConcatDataset([class_folder(k, n_per_class, seed) for k in range(len(NAMES))])


def get_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(16 * 16, 32), nn.ReLU(), nn.Linear(32, len(NAMES)))


def run(epochs=8, batch_size=32):
    torch.manual_seed(8)
    loaders = {
        "train": DataLoader(dataset(400, 1), batch_size=batch_size, drop_last=True),
        "test": DataLoader(dataset(100, 2), batch_size=100),
    }
    model, ce = get_model(), nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for ep in range(epochs):
        for phase, loader in loaders.items():
            training = phase == "train"
            model.train(training)
            loss_sum = right = count = 0
            with torch.set_grad_enabled(training):
                for x, y in loader:
                    out = model(x)
                    loss = ce(out, y)
                    if training:
                        opt.zero_grad()
                        loss.backward()
                        opt.step()
                    loss_sum += loss.item() * len(y)
                    right += (out.argmax(1) == y).sum().item()
                    count += len(y)
            print(f"{ep + 1}/{epochs} {phase:5s} loss {loss_sum / count:.4f} acc {right / count:.4f}")


if __name__ == "__main__":
    run()
