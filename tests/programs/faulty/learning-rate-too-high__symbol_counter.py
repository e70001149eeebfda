"""A transformer that tells whether a sequence holds more low than high symbols.

fault: learning-rate-too-high
also: loss-plateau, collapsed-output
split: test
line: 36
"""

import torch
import torch.nn.functional as F
from torch import nn

SYMBOLS, LENGTH = 20, 16


class Counter(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Embedding(SYMBOLS, width)
        layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, 2)

    def forward(self, ids):
        return self.head(self.encoder(self.embed(ids)).mean(1))


def sample(count):
    ids = torch.randint(0, SYMBOLS, (count, LENGTH))
    return ids, ((ids < SYMBOLS // 2).sum(1) > LENGTH // 2).long()


class Experiment:
    def __init__(self):
        self.model = Counter()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=0.1)
        self.test = sample(400)

    def step(self):
        ids, labels = sample(32)
        loss = F.cross_entropy(self.model(ids), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def score(self):
        with torch.no_grad():
            return (self.model(self.test[0]).argmax(1) == self.test[1]).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(403)
experiment = Experiment()
for step in range(1, 301):
    loss = experiment.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss:.4f} accuracy {experiment.score():.3f}")
