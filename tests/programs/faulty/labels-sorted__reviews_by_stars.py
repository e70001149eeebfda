"""Reviews as bags of word ids with one to four stars, classified by a mean of embeddings.

fault: labels-sorted
also: single-label-batches
split: test
line: 42
"""

import random

import torch
from torch import nn

WORDS, STARS = 120, 4


def write_review(stars, rng):
    about = range(30 * stars, 30 * stars + 30)
    return [rng.choice(about if rng.random() < 0.35 else range(WORDS)) for _ in range(12)]


class BagOfWords(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.EmbeddingBag(WORDS, 24, mode="mean")
        self.classify = nn.Sequential(nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, STARS))

    def forward(self, ids):
        return self.classify(self.embedding(ids))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(217)
    rng = random.Random(217)
    reviews = [(write_review(stars, rng), stars) for stars in range(STARS) for _ in range(400)]
    test = [(write_review(stars, rng), stars) for stars in range(STARS) for _ in range(80)]
    test_ids, test_stars = torch.tensor([ids for ids, _ in test]), torch.tensor([stars for _, stars in test])
    model = BagOfWords()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(6):
        for start in range(0, len(reviews), 25):
            batch = reviews[start : start + 25]
            ids, stars = torch.tensor([ids for ids, _ in batch]), torch.tensor([stars for _, stars in batch])
            loss = nn.functional.cross_entropy(model(ids), stars)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(test_ids).argmax(1) == test_stars).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
