"""An LSTM tagger for generated sentences whose scores have the shape batch, words, tags.

fault: softmax-over-batch
also:
split: test
line: 19
"""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags, width=24):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.score = nn.Linear(width, tags)
        self.log_softmax = nn.LogSoftmax(dim=1)

    def forward(self, sentence):
        return self.log_softmax(self.score(self.lstm(self.embed(sentence))[0]))


class Corpus:
    """Most words have no tag; the tag of the others depends on the word and on the word before it."""

    def __init__(self, words=30, tags=5):
        self.words = words
        self.by_word = torch.where(torch.rand(words) < 0.6, 0, torch.randint(1, tags - 1, (words,)))
        self.name = tags - 1

    def sample(self, count, length=10):
        ids = torch.randint(0, self.words, (count, length))
        tags = self.by_word[ids]
        tags[:, 1:][ids[:, :-1] < 3] = self.name
        return ids, tags


def train(model, corpus, steps, lr):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=lr)
    criterion = nn.NLLLoss()
    for step in range(1, steps + 1):
        ids, tags = corpus.sample(16)
        log_probability = model(ids)
        loss = criterion(log_probability.reshape(-1, 5), tags.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 60 == 0:
            ids, tags = corpus.sample(200)
            with torch.no_grad():
                right = (model(ids).argmax(-1) == tags).float().mean().item()
            print(f"step {step} loss {loss.item():.4f} tags right {right:.3f}")


torch.set_num_threads(1)
torch.manual_seed(114)
train(Tagger(30, 5), Corpus(), steps=360, lr=3e-3)
