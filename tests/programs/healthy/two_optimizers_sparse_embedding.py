"""Bag-of-words topics: SparseAdam for the embedding, AdamW for the head, OneCycle on the head.

split: test
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)
WORDS, TOPICS = 300, 4
owner = torch.randint(TOPICS, (WORDS,))
by_topic = [torch.nonzero(owner == t).squeeze(1) for t in range(TOPICS)]


def documents(n, length=12):
    topic = torch.randint(TOPICS, (n,))
    rows = [by_topic[t][torch.randint(len(by_topic[t]), (length,))] for t in topic.tolist()]
    words = torch.stack(rows)
    noise = torch.rand(n, length) < 0.3
    return torch.where(noise, torch.randint(WORDS, (n, length)), words), topic


bag = nn.EmbeddingBag(WORDS, 16, mode="mean", sparse=True)
head = nn.Sequential(nn.LayerNorm(16), nn.Linear(16, TOPICS))
sparse = torch.optim.SparseAdam(list(bag.parameters()), lr=0.02)
dense = torch.optim.AdamW(head.parameters(), lr=0.01)
schedule = torch.optim.lr_scheduler.OneCycleLR(dense, max_lr=0.02, total_steps=300)
words, topic = documents(2000)
test_words, test_topic = documents(500)
for epoch in range(6):
    for rows in torch.randperm(2000).split(40):
        loss = nn.functional.cross_entropy(head(bag(words[rows])), topic[rows])
        sparse.zero_grad()
        dense.zero_grad()
        loss.backward()
        sparse.step()
        dense.step()
        schedule.step()
    with torch.no_grad():
        accuracy = (head(bag(test_words)).argmax(1) == test_topic).float().mean()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")
