"""Sequences of tokens, classified by a transformer.

split: test
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

VOCAB, LENGTH = 12, 14


class FirstRepeatDataset(Dataset):
    """Label: which of the two marker tokens (1 or 2) comes first in the sequence."""

    def __init__(self, size, seed):
        g = torch.Generator().manual_seed(seed)
        self.tokens = torch.randint(3, VOCAB, (size, LENGTH), generator=g)
        self.labels = torch.randint(0, 2, (size,), generator=g)
        for i in range(size):
            a, b = torch.randperm(LENGTH, generator=g)[:2].sort().values.tolist()
            first, second = (1, 2) if self.labels[i] == 0 else (2, 1)
            self.tokens[i, a], self.tokens[i, b] = first, second

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.tokens[i], self.labels[i]


class Classifier(nn.Module):
    def __init__(self, dim=32, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.pos = nn.Parameter(torch.randn(1, LENGTH, dim) * 0.1)
        layer = nn.TransformerEncoderLayer(dim, heads, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2))

    def forward(self, tokens):
        h = self.encoder(self.tok(tokens) + self.pos)
        return self.head(h.mean(dim=1))


class Trainer:
    def __init__(self, model, train_set, test_set, epochs=12, lr=2e-3):
        self.model = model
        self.train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
        self.test_loader = DataLoader(test_set, batch_size=250)
        self.epochs = epochs
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.85)
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self):
        self.model.train()
        losses = []
        for tokens, labels in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(tokens), labels)
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        self.scheduler.step()
        return sum(losses) / len(losses)

    def test(self):
        self.model.eval()
        correct = 0
        with torch.no_grad():
            for tokens, labels in self.test_loader:
                correct += (self.model(tokens).argmax(-1) == labels).sum().item()
        return correct / len(self.test_loader.dataset)

    def run(self):
        for epoch in range(1, self.epochs + 1):
            loss = self.train_epoch()
            print(f"epoch {epoch:2d} | loss {loss:.4f} | test acc {self.test():.4f}")
        return self.test()


def main():
    torch.manual_seed(31)
    trainer = Trainer(Classifier(), FirstRepeatDataset(3000, 1), FirstRepeatDataset(500, 2))
    print(f"final accuracy {trainer.run():.4f}")


if __name__ == "__main__":
    main()
