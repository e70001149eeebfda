"""A character GRU on generated text with a sampling function that is seeded to be reproducible.

fault: repeated-batch
also:
split: test
line: 34
"""

import numpy as np
import torch
from torch import nn

SEED, LENGTH, BATCH = 76, 20, 16


class CharGRU(nn.Module):
    def __init__(self, letters, width=40):
        super().__init__()
        self.embedding = nn.Embedding(letters, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.project = nn.Linear(width, letters)

    def forward(self, ids):
        states, _ = self.gru(self.embedding(ids))
        return self.project(states)


def write_text(words, count):
    rng = np.random.default_rng(SEED)
    return " ".join(words[i] for i in rng.integers(0, len(words), count))


def get_batch(data):
    rng = np.random.default_rng(SEED)
    starts = rng.integers(0, len(data) - LENGTH - 1, BATCH)
    rows = np.stack([data[s : s + LENGTH + 1] for s in starts])
    rows = torch.from_numpy(rows)
    return rows[:, :-1], rows[:, 1:]


def perplexity(model, data):
    rows = torch.from_numpy(data[: len(data) // 21 * 21].reshape(-1, 21))
    with torch.no_grad():
        logits = model(rows[:, :-1])
        return nn.functional.cross_entropy(logits.transpose(1, 2), rows[:, 1:]).exp().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    text = write_text(["anna", "bert", "carla", "dora", "emil", "gustav", "sees", "likes", "hears", "calls"], 1200)
    letters = sorted(set(text))
    data = np.array([letters.index(c) for c in text])
    train, held_out = data[:5000], data[5000:]
    model = CharGRU(len(letters))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(1, 251):
        inputs, targets = get_batch(train)
        loss = nn.functional.cross_entropy(model(inputs).transpose(1, 2), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.4f} held-out perplexity {perplexity(model, held_out):.2f}")
