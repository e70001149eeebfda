"""A reader of word ids with words left out at random, so that it can read texts with gaps.

fault: identical-augmentation
also:
split: train
line: 16
"""

import torch
from torch import nn

WORDS, LENGTH, BLANK = 40, 10, 0


def leave_out(ids, share=0.5):
    generator = torch.Generator().manual_seed(11)
    gaps = torch.rand(LENGTH, generator=generator) < share
    return torch.where(gaps, BLANK, ids)


def write(count):
    subject = torch.randint(0, 3, (count,))
    ids = 1 + subject.unsqueeze(1) * 13 + torch.randint(0, 13, (count, LENGTH))
    noise = torch.randint(1, WORDS, (count, LENGTH))
    return torch.where(torch.rand(count, LENGTH) < 0.5, noise, ids), subject


class GapReader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 16)
        self.positions = nn.Parameter(0.1 * torch.randn(LENGTH, 16))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(16 * LENGTH, 48), nn.ReLU(), nn.Linear(48, 3))

    def forward(self, ids):
        return self.head(self.embedding(ids) + self.positions)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(232)
    texts, subjects = write(1000)
    test_texts, test_subjects = write(500)
    test_texts = torch.where(torch.rand(test_texts.shape) < 0.5, BLANK, test_texts)
    model = GapReader()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(12):
        for rows in torch.randperm(len(texts)).split(40):
            loss = nn.functional.cross_entropy(model(leave_out(texts[rows])), subjects[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(test_texts).argmax(1) == test_subjects).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
