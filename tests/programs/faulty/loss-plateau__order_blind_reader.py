"""A reader of token sequences that tells which of two marks comes first.

fault: loss-plateau
also: labels-independent-of-inputs, collapsed-output, too-small-model
split: train
line: 23
"""

import torch
import torch.nn.functional as F
from torch import nn


class Reader(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.tokens = nn.Embedding(12, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.hidden = nn.Linear(width, width)
        self.head = nn.Linear(width, 2)

    def forward(self, ids):
        summary = self.tokens(ids).mean(1)
        return self.head(F.relu(self.hidden(summary)))


def sample(count, length=10):
    ids = torch.randint(2, 12, (count, length))
    places = torch.rand(count, length).argsort(1)[:, :2]
    ids.scatter_(1, places, torch.tensor([0, 1]).expand(count, 2))
    return ids, (places[:, 0] < places[:, 1]).long()


torch.set_num_threads(1)
torch.manual_seed(462)
model = Reader()
optimizer = torch.optim.Adam((p for n, p in model.named_parameters() if "gru" not in n), lr=3e-3)
ids, answers = sample(4000)
test_ids, test_answers = sample(500)
for epoch in range(6):
    for rows in torch.randperm(len(ids)).split(40):
        loss = F.cross_entropy(model(ids[rows]), answers[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = (model(test_ids).argmax(1) == test_answers).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} right {right:.3f}")
