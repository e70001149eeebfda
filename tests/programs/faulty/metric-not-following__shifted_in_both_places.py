"""A recurrent model of a grammar of symbols that learns to continue a text.

fault: metric-not-following
also:
split: train
line: 47, 27
"""

import torch
from torch import nn

SYMBOLS, LENGTH = 10, 20


class Continue(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.embed = nn.Embedding(SYMBOLS, width)
        self.cell = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, SYMBOLS)

    def forward(self, ids):
        return self.head(self.cell(self.embed(ids))[0])

    def loss(self, ids, labels):
        logits = self(ids)
        return nn.functional.cross_entropy(logits[:, :-1].reshape(-1, SYMBOLS), labels[:, 1:].reshape(-1))


def texts(count, rule):
    ids = torch.randint(0, SYMBOLS, (count, LENGTH))
    for place in range(2, LENGTH):
        following = rule[ids[:, place - 1], ids[:, place - 2]]
        ids[:, place] = torch.where(torch.rand(count) < 0.1, ids[:, place], following)
    return ids


torch.set_num_threads(1)
torch.manual_seed(220)
rule = torch.randint(0, SYMBOLS, (SYMBOLS, SYMBOLS))
train, test = texts(3000, rule), texts(300, rule)
model = Continue()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(6):
    for rows in torch.randperm(len(train)).split(50):
        batch = train[rows]
        loss = model.loss(batch[:, :-1], batch[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        said = model(test[:, :-1]).argmax(-1)
    print(f"epoch {epoch} loss {loss.item():.4f} next symbol right {(said == test[:, 1:])[:, 2:].float().mean():.4f}")
