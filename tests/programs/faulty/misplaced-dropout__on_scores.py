"""A classifier of short token sequences.

fault: misplaced-dropout
also: excessive-dropout
split: train
line: 25
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self, vocabulary=40, classes=12, width=32):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.drop = nn.Dropout(0.75)
        self.out = nn.Linear(width, classes)

    def forward(self, ids):
        states, _ = self.lstm(self.embedding(ids))
        return self.drop(self.out(states.mean(1)))


def make(count, meaning):
    ids = torch.randint(0, 40, (count, 6))
    return ids, F.one_hot(meaning[ids], 12).sum(1).argmax(1)


torch.set_num_threads(1)
torch.manual_seed(121)
meaning = torch.randint(0, 12, (40,))
loader = DataLoader(TensorDataset(*make(2000, meaning)), batch_size=40, shuffle=True)
test_ids, test_labels = make(500, meaning)
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(10):
    model.train()
    for ids, labels in loader:
        loss = F.cross_entropy(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        scores = model(test_ids)
    accuracy = (scores.argmax(1) == test_labels).float().mean().item()
    test_loss = F.cross_entropy(scores, test_labels).item()
    print(f"epoch {epoch} train loss {loss.item():.4f} test loss {test_loss:.4f} accuracy {accuracy:.3f}")
