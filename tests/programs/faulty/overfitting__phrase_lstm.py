"""An LSTM that scores phrases on a small labelled set, with a validation loss each epoch.

fault: overfitting
also: too-few-examples
split: train
line: 33
"""

import torch
import torch.nn.functional as F
from torch import nn

WORDS = 200


class Scorer(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.embed = nn.Embedding(WORDS, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, 1)

    def forward(self, ids):
        return self.out(self.lstm(self.embed(ids))[0].mean(1)).squeeze(1)


def phrases(count, good):
    ids = torch.randint(0, WORDS, (count, 8))
    strength = good[ids].sum(1) + 0.8 * torch.randn(count)
    return ids, (strength > 0).float()


def main(examples=150, epochs=40):
    torch.set_num_threads(1)
    torch.manual_seed(483)
    good = torch.randn(WORDS)
    ids, labels = phrases(examples, good)
    val_ids, val_labels = phrases(400, good)
    model = Scorer()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        model.train()
        for rows in torch.randperm(len(ids)).split(25):
            loss = F.binary_cross_entropy_with_logits(model(ids[rows]), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            logits = model(val_ids)
            val = F.binary_cross_entropy_with_logits(logits, val_labels).item()
            right = ((logits > 0) == (val_labels > 0.5)).float().mean().item()
        print(f"epoch {epoch} train {loss.item():.4f} validation {val:.4f} right {right:.3f}")


main()
