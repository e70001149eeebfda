"""Topics of short texts from a bag of sparse embeddings with SparseAdam; most words of the vocabulary are rare.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(19)

VOCABULARY, TOPICS, LENGTH = 3000, 4, 12


def make_texts(count):
    topics = torch.randint(0, TOPICS, (count,))
    common = (torch.rand(count, LENGTH) ** 3 * VOCABULARY / TOPICS).long() * TOPICS + topics.unsqueeze(1)
    noise = torch.randint(0, VOCABULARY, (count, LENGTH))
    return torch.where(torch.rand(count, LENGTH) < 0.5, common, noise).clamp(max=VOCABULARY - 1), topics


bag = nn.EmbeddingBag(VOCABULARY, 16, mode="mean", sparse=True)
head = nn.Linear(16, TOPICS)
sparse_optimizer = torch.optim.SparseAdam(bag.parameters(), lr=2e-2)
dense_optimizer = torch.optim.Adam(head.parameters(), lr=1e-2)
texts, topics = make_texts(3000)
new_texts, new_topics = make_texts(500)
for epoch in range(6):
    for rows in torch.randperm(len(texts)).split(64):
        loss = F.cross_entropy(head(bag(texts[rows])), topics[rows])
        sparse_optimizer.zero_grad()
        dense_optimizer.zero_grad()
        loss.backward()
        sparse_optimizer.step()
        dense_optimizer.step()
    with torch.no_grad():
        accuracy = (head(bag(new_texts)).argmax(1) == new_topics).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")
