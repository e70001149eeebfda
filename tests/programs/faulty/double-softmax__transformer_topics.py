"""A transformer encoder sorts texts into topics.

fault: double-softmax
also: 
split: test
line: 53
"""

import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(9)

VOCAB, LENGTH, TOPICS = 200, 16, 20


def sample_docs(n, topic_words, generator):
    y = torch.randint(0, TOPICS, (n,), generator=generator)
    x = torch.randint(0, VOCAB, (n, LENGTH), generator=generator)
    own = topic_words[y].gather(1, torch.randint(0, topic_words.size(1), (n, LENGTH), generator=generator))
    mask = torch.rand(n, LENGTH, generator=generator) < 0.5
    return torch.where(mask, own, x), y


class PositionalEncoding(nn.Module):
    def __init__(self, dim, max_len=64):
        super().__init__()
        pos = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        pe = torch.zeros(max_len, dim)
        pe[:, 0::2] = torch.sin(pos * div)
        pe[:, 1::2] = torch.cos(pos * div)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[: x.size(1)]


class TopicClassifier(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim)
        self.pos = PositionalEncoding(dim)
        layer = nn.TransformerEncoderLayer(dim, nhead=4, dim_feedforward=64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=1)
        self.fc = nn.Linear(dim, TOPICS)

    def forward(self, tokens):
        h = self.encoder(self.pos(self.embed(tokens)))
        logits = self.fc(h.mean(dim=1))
        return torch.softmax(logits, dim=-1)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(-1) == y).float().mean().item()


gen = torch.Generator().manual_seed(4)
topic_words = torch.randperm(VOCAB, generator=gen).view(TOPICS, -1)
train_x, train_y = sample_docs(2400, topic_words, gen)
valid_x, valid_y = sample_docs(600, topic_words, gen)

model = TopicClassifier()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(8):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(train_x)).split(64):
        optimizer.zero_grad()
        loss = criterion(model(train_x[idx]), train_y[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    print(f"epoch {epoch + 1} | loss {total / len(train_x):.4f} | valid acc {evaluate(model, valid_x, valid_y):.4f}")
