"""A GRU language model that is asked for the next word after training.

fault: metric-not-following
also:
split: train
line: 48
"""

import torch
import torch.nn.functional as F
from torch import nn

WORDS = 30


class LanguageModel(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, WORDS)

    def forward(self, ids):
        return self.head(self.gru(self.embedding(ids))[0])


class Corpus:
    """Every word has one usual successor."""

    def __init__(self):
        self.successor = torch.randperm(WORDS)

    def text(self, count, length=13):
        ids = [torch.randint(0, WORDS, (count,))]
        for _ in range(length - 1):
            usual = self.successor[ids[-1]]
            ids.append(torch.where(torch.rand(count) < 0.9, usual, torch.randint(0, WORDS, (count,))))
        return torch.stack(ids, 1)


class Trainer:
    def __init__(self, model, corpus):
        self.model, self.corpus = model, corpus
        self.optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

    def step(self):
        ids = self.corpus.text(32)
        inputs, targets = ids[:, :-1], ids[:, :-1]
        loss = F.cross_entropy(self.model(inputs).flatten(0, 1), targets.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def next_word_accuracy(self):
        ids = self.corpus.text(200)
        logits = self.model(ids[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).item()
        return loss, (logits.argmax(-1) == ids[:, 1:]).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(147)
trainer = Trainer(LanguageModel(), Corpus())
for number in range(1, 241):
    loss = trainer.step()
    if number % 40 == 0:
        val_loss, accuracy = trainer.next_word_accuracy()
        print(f"step {number} loss {loss:.4f} validation loss {val_loss:.4f} next word right {accuracy:.3f}")
