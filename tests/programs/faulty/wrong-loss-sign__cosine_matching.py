"""Two encoders that learn to map a signal and its noisy, shifted copy to the same direction.

fault: wrong-loss-sign
also:
split: train
line: 48
"""

import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, length, width=16):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5, padding=2)
        self.fc = nn.Linear(8 * length // 2, width)

    def forward(self, signal):
        x = F.max_pool1d(F.gelu(self.conv(signal.unsqueeze(1))), 2)
        return self.fc(x.flatten(1))


def pairs(count, length=20):
    signal = torch.randn(count, 4) @ torch.sin(torch.outer(torch.arange(1, 5), torch.arange(length)) * 0.3)
    return signal, 0.5 * signal.roll(2, 1) + 0.2 * torch.randn(count, length)


def retrieval(left, right):
    """How often the partner is the most similar of all."""
    with torch.no_grad():
        a, b = pairs(64)
        similarity = F.normalize(left(a), dim=1) @ F.normalize(right(b), dim=1).T
    return (similarity.argmax(1) == torch.arange(64)).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(132)
    left, right = Encoder(20), Encoder(20)
    optimizer = torch.optim.SGD([*left.parameters(), *right.parameters()], lr=0.05, momentum=0.9)
    for step in range(1, 301):
        a, b = pairs(48)
        first, second = left(a), right(b)
        same = F.cosine_similarity(first, second).mean()
        other = F.cosine_similarity(first, second.roll(1, 0)).pow(2).mean()
        loss = same + other
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.4f} partner found {retrieval(left, right):.3f}")


main()
