"""The sanity check before a long training: one batch is repeated on purpose until it is known by heart.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)

model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(4),
    nn.Flatten(),
    nn.Linear(512, 10),
)
images = torch.randn(32, 3, 16, 16)
labels = torch.randint(0, 10, (32,))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for step in range(200):
    optimizer.zero_grad()
    logits = model(images)
    loss = criterion(logits, labels)
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        accuracy = (logits.argmax(1) == labels).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} accuracy {accuracy:.2f}")
    if loss.item() < 0.01:
        print(f"the batch is memorised after {step} steps")
        break
