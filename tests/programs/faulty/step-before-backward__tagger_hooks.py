"""A bidirectional GRU tagger in a loop that calls hooks before and after each batch.

fault: step-before-backward
also: gradients-zeroed-before-step
split: test
line: 32
"""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words=40, width=24, tags=4):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.encoder = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(2 * width, tags)

    def forward(self, sentence):
        return self.tag(self.encoder(self.embedding(sentence))[0])


class Optimize:
    def __init__(self, model):
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-2)

    def before_batch(self):
        self.optimizer.zero_grad()

    def after_batch(self):
        self.optimizer.step()


class Report:
    def __init__(self, every):
        self.every, self.seen = every, 0

    def show(self, loss, accuracy):
        self.seen += 1
        if self.seen % self.every == 0:
            print(f"batch {self.seen}: loss {loss:.4f}, tags right {accuracy:.3f}")


def batch_of_sentences(size=32, length=10):
    words = torch.randint(0, 40, (size, length))
    previous = torch.roll(words, 1, 1)
    return words, (words % 2) * 2 + (previous > words).long()


def train(model, optimize, report, batches):
    criterion = nn.CrossEntropyLoss()
    for _ in range(batches):
        words, tags = batch_of_sentences()
        optimize.before_batch()
        logits = model(words)
        loss = criterion(logits.transpose(1, 2), tags)
        optimize.after_batch()
        loss.backward()
        report.show(loss.item(), (logits.argmax(-1) == tags).float().mean().item())


torch.set_num_threads(1)
torch.manual_seed(11)
tagger = Tagger()
train(tagger, Optimize(tagger), Report(every=40), batches=280)
