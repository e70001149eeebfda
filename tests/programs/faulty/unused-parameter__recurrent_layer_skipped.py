"""A sequence classifier: does the sequence hold more ones than zeros?

fault: unused-parameter
also:
split: train
line: 18
"""

import torch
import torch.nn.functional as F
from torch import nn


class Majority(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embedding = nn.Embedding(2, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.output = nn.Linear(width, 2)

    def forward(self, bits):
        x = self.embedding(bits)
        x = self.norm(x)
        return self.output(x[:, -1])


def bits_and_labels(count, length=15):
    bits = (torch.rand(count, length) < 0.5).long()
    return bits, (bits.sum(1) > length // 2).long()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(24)
    model = Majority()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    test_bits, test_labels = bits_and_labels(500)
    for step in range(1, 301):
        bits, labels = bits_and_labels(64)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(bits), labels)
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            with torch.no_grad():
                accuracy = (model(test_bits).argmax(1) == test_labels).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.4f} test accuracy {accuracy:.3f}")


main()
