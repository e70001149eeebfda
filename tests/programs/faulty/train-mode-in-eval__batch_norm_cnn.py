"""A convolutional network with batch-norm that is tested image by image.

fault: train-mode-in-eval
also:
split: train
line: 52
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(54)


def make_images(count):
    """Four classes that differ in brightness and in the direction of a gradient."""
    label = torch.randint(0, 4, (count,))
    ramp = torch.linspace(-1, 1, 10)
    image = torch.where((label % 2 == 0).view(-1, 1, 1), ramp.view(1, 1, -1), ramp.view(1, -1, 1))
    level = (label // 2).float().view(-1, 1, 1)
    return (image + level + 0.3 * torch.randn(count, 10, 10)).unsqueeze(1) - 0.5, label


model = nn.Sequential(
    nn.Conv2d(1, 12, 3, padding=1),
    nn.BatchNorm2d(12),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(12, 24, 3, padding=1),
    nn.BatchNorm2d(24),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(24, 4),
)
train_loader = DataLoader(TensorDataset(*make_images(1200)), batch_size=40, shuffle=True)
test_loader = DataLoader(TensorDataset(*make_images(150)), batch_size=1)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for epoch in range(6):
    for images, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for image, label in test_loader:
            correct += (model(image).argmax(1) == label).sum().item()
    print(f"epoch {epoch} loss {loss.item():.4f} test accuracy {correct / len(test_loader):.3f}")
