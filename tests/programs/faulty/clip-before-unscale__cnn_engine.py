"""A small CNN that counts blobs in images, with mixed precision switched on in an Engine class.

fault: clip-before-unscale
also:
split: train
line: 36
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def blobs(count, size=12):
    images = 0.1 * torch.randn(count, 1, size, size)
    numbers = torch.randint(1, 5, (count,))
    for image, number in zip(images, numbers.tolist(), strict=True):
        cells = torch.randperm(9)[:number]
        for row, column in zip((cells // 3).tolist(), (cells % 3).tolist(), strict=True):
            image[0, row * 4 + 1 : row * 4 + 3, column * 4 + 1 : column * 4 + 3] += 1.0
    return images, numbers - 1


class Engine:
    def __init__(self, model, lr, max_norm=2.0):
        self.model, self.max_norm = model, max_norm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**14)

    def step(self, images, labels):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = F.cross_entropy(self.model(images), labels)
        self.scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.scaler.unscale_(self.optimizer)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()

    @torch.no_grad()
    def evaluate(self, images, labels):
        return (self.model(images).argmax(1) == labels).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(43)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 4, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(288, 32),
        nn.ReLU(),
        nn.Linear(32, 4),
    )
    engine = Engine(model, lr=0.05)
    loader = DataLoader(TensorDataset(*blobs(1200)), batch_size=40, shuffle=True)
    validation = blobs(300)
    for epoch in range(6):
        losses = [engine.step(images, labels) for images, labels in loader]
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f} accuracy {engine.evaluate(*validation):.3f}")


main()
