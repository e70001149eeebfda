"""Mixed precision in bfloat16: the forward pass under autocast, the parameters in float32.

split: train
"""

import torch
from torch import nn


class ConvNet(nn.Module):
    def __init__(self, classes: int = 4) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.ReLU(),
        )
        self.head = nn.Linear(16, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(images).mean((2, 3)))


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(4)
    model = ConvNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(24):
        labels = torch.randint(0, 4, (16,))
        images = torch.randn(16, 1, 8, 8) + labels.float().view(-1, 1, 1, 1)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(images)
            loss = nn.functional.cross_entropy(logits, labels)
        loss.backward()
        optimizer.step()
        print(f"[{step:3d}] loss={loss.item()!r} logits={logits.dtype}")


if __name__ == "__main__":
    main()
