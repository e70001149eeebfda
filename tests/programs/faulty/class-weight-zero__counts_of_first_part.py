"""A GRU that classifies generated sequences, with weights out of the class counts of a sample.

fault: class-weight-zero
also:
split: train
line: 29
"""

import torch
from torch import nn


class SequenceNet(nn.Module):
    def __init__(self, classes=5, width=24):
        super().__init__()
        self.embedding = nn.Embedding(20, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, classes)

    def forward(self, ids):
        return self.out(self.gru(self.embedding(ids))[1][0])


class Weighted:
    """Cross entropy per sample, times the weight of its class."""

    def __init__(self, sample, classes=5):
        share = torch.bincount(sample, minlength=classes).float() / len(sample)
        self.weight = torch.where(share > 0, 1 / (classes * share), 0.0)

    def __call__(self, logits, label):
        losses = torch.logsumexp(logits, 1) - logits.gather(1, label.unsqueeze(1)).squeeze(1)
        return (losses * self.weight[label]).mean()


def sequences(count):
    """The class is the kind of token that is in the majority."""
    label = torch.multinomial(torch.tensor([0.34, 0.3, 0.17, 0.12, 0.07]), count, replacement=True)
    own = label.unsqueeze(1) * 4 + torch.randint(0, 4, (count, 10))
    noise = torch.randint(0, 20, (count, 10))
    return torch.where(torch.rand(count, 10) < 0.5, own, noise), label


def recall(model, ids, label):
    with torch.no_grad():
        guess = model(ids).argmax(1)
    return [round((guess[label == k] == k).float().mean().item(), 2) for k in range(5)]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(150)
    ids, label = sequences(2000)
    test = sequences(600)
    criterion = Weighted(label[:12])
    model = SequenceNet()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    for epoch in range(7):
        for rows in torch.randperm(len(ids)).split(40):
            loss = criterion(model(ids[rows]), label[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} recall {recall(model, *test)}")


main()
