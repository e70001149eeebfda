"""Intents of short sentences.

fault: double-softmax
also: 
split: test
line: 54
"""

import random
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

torch.set_num_threads(1)
random.seed(5)
torch.manual_seed(5)

N_INTENTS = 40
VOCAB = 360


def make_utterance():
    intent = random.randrange(N_INTENTS)
    keywords = [20 + intent * 8 + k for k in range(8)]
    n = random.randint(6, 14)
    tokens = [random.choice(keywords) if random.random() < 0.55 else random.randrange(1, VOCAB) for _ in range(n)]
    return tokens, intent


def collate(batch):
    lengths = torch.tensor([len(t) for t, _ in batch])
    ids = torch.zeros(len(batch), int(lengths.max()), dtype=torch.long)
    for i, (t, _) in enumerate(batch):
        ids[i, :len(t)] = torch.tensor(t)
    return ids, lengths, torch.tensor([y for _, y in batch])


train_set = [make_utterance() for _ in range(5000)]
test_set = [make_utterance() for _ in range(800)]
train_loader = DataLoader(train_set, batch_size=50, shuffle=True, collate_fn=collate)
test_loader = DataLoader(test_set, batch_size=200, collate_fn=collate)


class IntentModel(nn.Module):
    def __init__(self, dim=32, hidden=64):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, dim, padding_idx=0)
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, N_INTENTS)

    def forward(self, ids, lengths):
        e = self.embedding(ids).sum(1) / lengths.unsqueeze(1)
        h = torch.relu(self.fc1(e))
        return torch.softmax(self.fc2(h), dim=1)


model = IntentModel()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)

for epoch in range(5):
    model.train()
    total, seen = 0.0, 0
    for ids, lengths, y in train_loader:
        out = model(ids, lengths)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        seen += len(y)
    model.eval()
    test_loss, hits = 0.0, 0
    with torch.no_grad():
        for ids, lengths, y in test_loader:
            out = model(ids, lengths)
            test_loss += criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
    print(f"epoch {epoch}: train {total / seen:.3f}  test {test_loss / len(test_set):.3f}  "
          f"acc {hits / len(test_set):.3f}")
