"""A GRU with tied input and output embeddings that repeats the word it saw first.

fault: weights-not-tied
also:
split: train
line: 26
"""

import torch
import torch.nn.functional as F
from torch import nn


class TiedModel(nn.Module):
    """Reads words and writes words with one table of embeddings."""

    def __init__(self, vocabulary, width=32):
        super().__init__()
        self.encoder = nn.Embedding(vocabulary, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.decoder = nn.Linear(width, vocabulary, bias=False)
        nn.init.normal_(self.encoder.weight, std=0.3)
        self.tie_weights()

    def tie_weights(self):
        self.decoder.weight = nn.Parameter(self.encoder.weight.clone())

    def forward(self, ids):
        return self.decoder(self.rnn(self.encoder(ids))[1][0])


def questions(count, vocabulary, length=3):
    ids = torch.randint(0, vocabulary, (count, length))
    return ids, ids[:, 0]


torch.set_num_threads(1)
torch.manual_seed(68)
ids, answers = questions(800, 400)
test_ids, test_answers = questions(500, 400)
model = TiedModel(400)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(30):
    for rows in torch.randperm(len(ids)).split(50):
        loss = F.cross_entropy(model(ids[rows]), answers[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 10 == 9:
        with torch.no_grad():
            accuracy = (model(test_ids).argmax(1) == test_answers).float().mean().item()
        print(f"epoch {epoch + 1} loss {loss.item():.4f} test accuracy {accuracy:.3f}")
