"""A small convolutional network on generated shapes, driven by a Trainer class with Adam.

fault: gradients-zeroed-before-step
also:
split: train
line: 46
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_shapes(count, generator):
    """Horizontal bars, vertical bars and squares on a noisy 12 x 12 canvas."""
    images = 0.3 * torch.randn(count, 1, 12, 12, generator=generator)
    kinds = torch.randint(0, 3, (count,), generator=generator)
    for image, kind in zip(images, kinds, strict=True):
        row, column = torch.randint(0, 6, (2,), generator=generator).tolist()
        height, width = [(2, 6), (6, 2), (4, 4)][kind]
        image[0, row : row + height, column : column + width] += 1.0
    return images, kinds


class ShapeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 9, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def backward(self, loss):
        loss.backward()
        self.model.zero_grad()

    def train_epoch(self, loader):
        self.model.train()
        for images, kinds in loader:
            loss = F.cross_entropy(self.model(images), kinds)
            self.backward(loss)
            self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, images, kinds):
        self.model.eval()
        return (self.model(images).argmax(1) == kinds).float().mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(4)
    generator = torch.Generator().manual_seed(4)
    train_loader = DataLoader(TensorDataset(*make_shapes(900, generator)), batch_size=32, shuffle=True)
    validation = make_shapes(200, generator)
    trainer = Trainer(ShapeNet(), lr=3e-3)
    for epoch in range(6):
        last = trainer.train_epoch(train_loader)
        print(f"epoch {epoch}: loss={last:.4f} val_acc={trainer.accuracy(*validation):.3f}")
