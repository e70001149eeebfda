"""A GRU that learns to tell two generated languages apart and logs the size of its gradients.

fault: gradients-zeroed-before-step
also:
split: train
line: 41
"""

import argparse

import torch
from torch import nn


class LanguageId(nn.Module):
    def __init__(self, letters=20, width=24):
        super().__init__()
        self.embed = nn.Embedding(letters, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.classify = nn.Linear(width, 2)

    def forward(self, text):
        _, last = self.gru(self.embed(text))
        return self.classify(last[0])


def sample(tables, count, length=15):
    language = torch.randint(0, 2, (count,))
    letters = [torch.randint(0, 20, (count,))]
    for _ in range(length - 1):
        letters.append(torch.multinomial(tables[language, letters[-1]], 1).squeeze(1))
    return torch.stack(letters, 1), language


def gradient_norm(model):
    """The norm over all parameters."""
    total = 0.0
    for parameter in model.parameters():
        if parameter.grad is not None:
            total += parameter.grad.pow(2).sum().item()
            parameter.grad.zero_()
    return total**0.5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--lr", type=float, default=5e-3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(5)
    tables = torch.softmax(1.5 * torch.randn(2, 20, 20), -1)
    model = LanguageId()
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.lr, weight_decay=0.01)
    for step in range(1, options.steps + 1):
        text, language = sample(tables, 32)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(text), language)
        loss.backward()
        norm = gradient_norm(model)
        optimizer.step()
        if step % 30 == 0:
            print(f"step {step:4d} | loss {loss.item():.4f} | grad norm {norm:.3f}")


if __name__ == "__main__":
    main()
