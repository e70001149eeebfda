"""A GRU that rates generated reviews with three grades; forward returns probabilities.

fault: double-softmax
also:
split: train
line: 23
"""

import torch
import torch.nn.functional as F
from torch import nn


class ReviewModel(nn.Module):
    def __init__(self, words, width=24, grades=8):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.fc = nn.Linear(width, grades)

    def forward(self, ids):
        _, hidden = self.gru(self.embedding(ids))
        return F.softmax(self.fc(hidden[-1]), dim=-1)


def reviews(count, length=9):
    """Words 0 to 14 are negative, 15 to 29 positive; the grade counts the positive ones."""
    ids = torch.randint(0, 30, (count, length))
    return ids, ((ids >= 15).sum(1) - 1).clamp(0, 7)


def evaluate(model, ids, grades):
    model.eval()
    with torch.no_grad():
        output = model(ids)
    model.train()
    return F.cross_entropy(output, grades).item(), (output.argmax(1) == grades).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(101)
    ids, grades = reviews(2000)
    test_ids, test_grades = reviews(500)
    model = ReviewModel(30)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(8):
        for rows in torch.randperm(len(ids)).split(50):
            loss = F.cross_entropy(model(ids[rows]), grades[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        test_loss, accuracy = evaluate(model, test_ids, test_grades)
        print(f"epoch {epoch} train {loss.item():.4f} test {test_loss:.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
