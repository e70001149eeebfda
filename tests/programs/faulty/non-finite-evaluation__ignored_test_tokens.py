"""A tagger whose test split has a batch in which no token counts; the training split has none.

fault: non-finite-evaluation
also: stopped-early
split: test
line: 47
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(411)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(60, 24)
        self.rnn = nn.GRU(24, 24, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(48, 5)

    def forward(self, words):
        return self.tags(self.rnn(self.words(words))[0])


words = torch.randint(0, 60, (1200, 8))
tags = (words + words.roll(1, 1)) % 5
train = DataLoader(TensorDataset(words[:1000], tags[:1000]), batch_size=40, shuffle=True)
unlabelled = tags[1000:].clone()
unlabelled[80:120] = -100
test = DataLoader(TensorDataset(words[1000:], unlabelled), batch_size=40)
model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(6):
    model.train()
    for x, y in train:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
        loss.backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.inference_mode():
        for x, y in test:
            total += nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
    print(epoch, loss.item(), total / len(test))
