"""Two towers for tags and pictures of the same things; a picture is looked up by its tags.

fault: collapsed-output
also:
split: train
line: 51
"""

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
THINGS, TAGS, PIXELS, CODE = 80, 60, 100, 24


class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 96), nn.GELU(), nn.LayerNorm(96), nn.Linear(96, CODE))

    def forward(self, x):
        return F.normalize(self.layers(x), dim=-1)


class TwoTowers(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.pictures = Tower(TAGS), Tower(PIXELS)

    def forward(self, tags, images):
        return self.words(tags), self.pictures(images)


def scenes(count, generator, world):
    tag_table, image_table = world
    thing = torch.randint(0, THINGS, (count,), generator=generator)
    tags = (torch.rand(count, TAGS, generator=generator) < tag_table[thing]).float()
    images = image_table[thing] + 0.8 * torch.randn(count, PIXELS, generator=generator)
    return tags * 2 - 0.4, images, thing


class Trainer:
    def __init__(self, model, rate=1e-3):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-4)

    def loss(self, tags, images):
        a, b = self.model(tags, images)
        alike = a @ b.T
        return (1 - alike.diagonal()).mean()

    def fit(self, tags, images, epochs, batch):
        for epoch in range(epochs):
            total = 0.0
            for rows in torch.randperm(len(tags)).split(batch):
                loss = self.loss(tags[rows], images[rows])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(rows)
            yield epoch, total / len(tags)


def main():
    torch.manual_seed(2024)
    generator = torch.Generator().manual_seed(5)
    world = (torch.rand(THINGS, TAGS, generator=generator) ** 3, torch.randn(THINGS, PIXELS, generator=generator))
    tags, images, _ = scenes(2400, generator, world)
    asked, shown, thing = scenes(400, generator, world)
    model = TwoTowers()
    for epoch, loss in Trainer(model).fit(tags, images, epochs=14, batch=96):
        if epoch % 3 == 1:
            with torch.no_grad():
                a, b = model(asked, shown)
            found = thing[(a @ b.T).argmax(1)]
            print(f"epoch {epoch} loss {loss:.4f} right thing {(found == thing).float().mean():.3f}")


if __name__ == "__main__":
    main()
