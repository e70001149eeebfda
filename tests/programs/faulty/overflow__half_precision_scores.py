"""A retrieval model that scores pairs by products of wide vectors, kept in half precision to save memory.

fault: overflow
also: non-finite-value
split: test
line: 29
"""

import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.project = nn.Linear(width, width)

    def forward(self, ids):
        return self.project(self.table(ids).mean(1))


class Retriever(nn.Module):
    def __init__(self, words=200, width=256):
        super().__init__()
        self.left, self.right = Tower(words, width), Tower(words, width)

    def forward(self, query, answer):
        return (80 * self.left(query)).half() @ (80 * self.right(answer)).half().T


def batch(count):
    topic = torch.randint(0, 20, (count, 1))
    return topic * 10 + torch.randint(0, 10, (count, 6)), topic * 10 + torch.randint(0, 10, (count, 6))


torch.set_num_threads(1)
torch.manual_seed(305)
model = Retriever()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(200):
    query, answer = batch(32)
    scores = model(query, answer).float() / 6400
    loss = nn.functional.cross_entropy(scores, torch.arange(32))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 40 == 39:
        print(step, loss.item())
