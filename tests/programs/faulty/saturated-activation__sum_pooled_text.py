"""Which topic a bag of many words belongs to, from the words' vectors.

fault: saturated-activation
also: activation-scale
split: train
line: 23
"""

import torch
from torch import nn

WORDS, TOPICS, LENGTH = 300, 5, 400


class Bag(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.vectors = nn.Embedding(WORDS, width)
        self.hidden = nn.Linear(width, width)
        self.out = nn.Linear(width, TOPICS)

    def forward(self, words):
        pooled = self.vectors(words).sum(1)
        return self.out(torch.sigmoid(4 * self.hidden(pooled)))


def documents(count, preference):
    topics = torch.randint(0, TOPICS, (count,))
    words = torch.multinomial(preference[topics], LENGTH, replacement=True)
    return words, topics


torch.set_num_threads(1)
torch.manual_seed(31)
preference = 1.0 + 0.6 * torch.rand(TOPICS, WORDS)
model = Bag()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
words, topics = documents(1500, preference)
new_words, new_topics = documents(500, preference)
for epoch in range(10):
    for rows in torch.randperm(len(words)).split(50):
        loss = nn.functional.cross_entropy(model(words[rows]), topics[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(new_words).argmax(1) == new_topics).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
