"""Contrastive learning with InfoNCE at temperature 0.1 on two noisy views of digits, judged by neighbours.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

torch.set_num_threads(1)
torch.manual_seed(2)

digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32) / 8 - 1
train, test = x[:1400], x[1400:]


def view(images):
    shifted = torch.roll(images, int(torch.randint(-1, 2, ())), dims=2)
    return (shifted + 0.3 * torch.randn_like(images)).flatten(1)


def info_nce(a, b, temperature=0.1):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    logits = a @ b.t() / temperature
    labels = torch.arange(len(a))
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2


encoder = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64))
projector = nn.Sequential(nn.ReLU(), nn.Linear(64, 32))
optimizer = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], lr=1e-3)
for epoch in range(15):
    losses = []
    for batch in train[torch.randperm(len(train))].split(128):
        loss = info_nce(projector(encoder(view(batch))), projector(encoder(view(batch))))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch} loss {sum(losses) / len(losses):.3f}")

with torch.no_grad():
    features, held_out = encoder(train.flatten(1)), encoder(test.flatten(1))
probe = KNeighborsClassifier(5).fit(features.numpy(), digits.target[:1400])
print("neighbour accuracy", probe.score(held_out.numpy(), digits.target[1400:]))
