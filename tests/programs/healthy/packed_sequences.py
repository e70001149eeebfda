"""Sequences of different length through packed LSTMs; the label is whether the sequence sums to more than zero.

split: train
"""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Sums(Dataset):
    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        lengths = torch.randint(3, 16, (count,), generator=generator)
        self.sequences = [torch.randn(int(n), 1, generator=generator) for n in lengths]

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, index):
        sequence = self.sequences[index]
        return sequence, int(sequence.sum() > 0)


def collate(items):
    sequences, labels = zip(*items, strict=False)
    lengths = torch.tensor([len(s) for s in sequences])
    return pad_sequence(sequences, batch_first=True), lengths, torch.tensor(labels)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 32, batch_first=True)
        self.out = nn.Linear(32, 2)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, (hidden, _) = self.lstm(packed)
        return self.out(hidden[-1])


def main():
    torch.set_num_threads(1)
    torch.manual_seed(50)
    loader = DataLoader(Sums(1200, 1), batch_size=32, shuffle=True, collate_fn=collate)
    test = DataLoader(Sums(300, 2), batch_size=300, collate_fn=collate)
    model = Reader()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(6):
        model.train()
        for x, lengths, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(x, lengths), labels)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            for x, lengths, labels in test:
                accuracy = (model(x, lengths).argmax(1) == labels).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
