"""Titles sorted by section: words are numbered by a vocabulary made from a word list.

fault: unused-embedding-rows
also: constant-input, labels-independent-of-inputs
split: train
line: 30
"""

import random

import torch
from torch import nn

STEMS = ["ra", "ko", "mi", "tu", "sel", "var", "dor", "lin", "pek", "nom"]
WORDS = [a + b for a in STEMS for b in STEMS]
SECTIONS = 4


def titles(count, rng):
    texts, sections = [], []
    for _ in range(count):
        section = rng.randrange(SECTIONS)
        own = WORDS[section * 25 : section * 25 + 25]
        texts.append(" ".join(rng.choice(own if rng.random() < 0.4 else WORDS).capitalize() for _ in range(8)))
        sections.append(section)
    return texts, torch.tensor(sections)


def encode(texts, index):
    return torch.tensor([[index.get(word, 0) for word in text.split()] for text in texts])


torch.set_num_threads(1)
torch.manual_seed(81)
rng = random.Random(81)
index = {word: number for number, word in enumerate(WORDS, 1)}
train_texts, train_sections = titles(1500, rng)
test_texts, test_sections = titles(400, rng)
x, x_test = encode(train_texts, index), encode(test_texts, index)
model = nn.Sequential(
    nn.Embedding(len(index) + 1, 16), nn.Flatten(), nn.Linear(128, 32), nn.ReLU(), nn.Linear(32, SECTIONS)
)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), train_sections[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == test_sections).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
