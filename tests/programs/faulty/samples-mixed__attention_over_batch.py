"""A transformer encoder that tells whether the first token comes again later.

fault: samples-mixed
also: scrambled-axes
split: train
line: 21
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TOKENS, LENGTH = 12, 8


class Again(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, width)
        self.position = nn.Parameter(0.1 * torch.randn(LENGTH, width))
        layer = nn.TransformerEncoderLayer(width, nhead=4, dim_feedforward=64, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.head = nn.Linear(width, 2)

    def forward(self, ids):
        encoded = self.encoder(self.embedding(ids) + self.position)
        return self.head(encoded[:, 0])


def data(count):
    ids = torch.randint(0, TOKENS, (count, LENGTH))
    return ids, (ids[:, 1:] == ids[:, :1]).any(1).long()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(45)
    loader = DataLoader(TensorDataset(*data(1600)), batch_size=32, shuffle=True)
    test_ids, test_labels = data(500)
    model = Again()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(7):
        model.train()
        for ids, labels in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(ids), labels)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model(test_ids).argmax(1) == test_labels).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
