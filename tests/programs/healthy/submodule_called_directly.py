"""Contrastive learning through `model.encode(x)` and `model.project(h)`; `model(x)` is never called.

split: train
"""

import torch
import torch.nn.functional as F
from torch import nn


class SimilarityModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 16))
        self.projector = nn.Linear(16, 8)

    def encode(self, x):
        return self.encoder(x)

    def project(self, h):
        return F.normalize(self.projector(h), dim=1)


def contrastive_loss(a, b, temperature=0.2):
    similarity = a @ b.T / temperature
    return F.cross_entropy(similarity, torch.arange(len(a)))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(36)
    model = SimilarityModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(30):
        x = torch.randn(20, 10)
        one, two = (model.project(model.encode(x + 0.1 * torch.randn_like(x))) for _ in range(2))
        loss = contrastive_loss(one, two)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{step} loss {loss.item()!r}")


if __name__ == "__main__":
    main()
