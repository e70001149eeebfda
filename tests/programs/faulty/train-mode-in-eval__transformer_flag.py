"""A transformer with dropout that marks palindromes, evaluated by an Evaluator class.

fault: train-mode-in-eval
also:
split: train
line: 39
"""

import torch
from torch import nn


class PalindromeModel(nn.Module):
    def __init__(self, letters=6, length=6, width=32):
        super().__init__()
        self.embed = nn.Embedding(letters, width)
        self.positions = nn.Parameter(0.3 * torch.randn(length, width))
        self.encoder = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.drop = nn.Dropout(0.5)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(length * width, 1))

    def forward(self, ids):
        return self.head(self.encoder(self.drop(self.embed(ids) + self.positions))).squeeze(1)


def words(count, length=6):
    half = torch.randint(0, 6, (count, length // 2))
    mirrored = torch.cat([half, half.flip(1)], 1)
    spoiled = torch.cat([half, torch.randint(0, 6, half.shape)], 1)
    label = torch.rand(count) < 0.5
    return torch.where(label.unsqueeze(1), mirrored, spoiled), label.float()


class Evaluator:
    def __init__(self, count):
        self.ids, self.labels = words(count)

    def __call__(self, model):
        model.training = False
        with torch.no_grad():
            right = ((model(self.ids) > 0).float() == self.labels).float().mean().item()
        model.training = True
        return right


def fit(model, steps, evaluate):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    for step in range(1, steps + 1):
        ids, labels = words(64)
        loss = nn.functional.binary_cross_entropy_with_logits(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.4f} accuracy {evaluate(model):.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(55)
    fit(PalindromeModel(), 300, Evaluator(600))
