"""A GRU that tells which of four topics a sequence of word ids is about.

fault: constant-input
also:
split: train
line: 31
"""

import torch
from torch import nn

WORDS, TOPICS, LENGTH = 80, 4, 15


def write_texts(count):
    topic = torch.randint(0, TOPICS, (count,))
    about = topic.unsqueeze(1) * 20 + torch.randint(0, 20, (count, LENGTH))
    filler = torch.randint(0, WORDS, (count, LENGTH))
    return torch.where(torch.rand(count, LENGTH) < 0.4, about, filler), topic


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 24)
        self.gru = nn.GRU(24, 32, batch_first=True)
        self.head = nn.Linear(32, TOPICS)

    def forward(self, ids):
        known = ids < WORDS
        ids = torch.where(known, torch.zeros_like(ids), ids)
        return self.head(self.gru(self.embedding(ids))[1][-1])


torch.set_num_threads(1)
torch.manual_seed(202)
texts, topics = write_texts(1600)
test_texts, test_topics = write_texts(400)
model = Reader()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
for epoch in range(6):
    for rows in torch.randperm(len(texts)).split(40):
        loss = nn.functional.cross_entropy(model(texts[rows]), topics[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(test_texts).argmax(1) == test_topics).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")
