"""A program that runs without an error and whose scores are just not good. What is wrong with it?

Let it be diagnosed:  stetho run examples/bad_scores.py
"""

from itertools import pairwise

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

EPOCHS = 8
torch.set_num_threads(1)
torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self, widths: list[int]) -> None:
        super().__init__()
        self.hidden = [nn.Linear(one, other) for one, other in pairwise(widths)]
        self.output = nn.Linear(widths[-1], 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.output(x)


def make_loaders() -> tuple[DataLoader, DataLoader]:
    digits = load_digits()
    pixels = torch.tensor(digits.data, dtype=torch.float32)
    data = TensorDataset((pixels - pixels.mean()) / pixels.std(), torch.tensor(digits.target))
    train, validation = random_split(data, [1500, len(data) - 1500])
    return DataLoader(train, batch_size=32, shuffle=True), DataLoader(validation, batch_size=128)


def main() -> None:
    train, validation = make_loaders()
    model = Classifier([64, 48, 32, 16])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(EPOCHS):
        model.train()
        for x, y in train:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = sum((model(x).argmax(1) == y).sum().item() for x, y in validation)
        print(f"epoch {epoch}: loss {loss.item():.3f}, accuracy {right / len(validation.dataset):.3f}")


if __name__ == "__main__":
    main()
