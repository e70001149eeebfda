"""Polarity of short sentences by a transformer encoder; what is shipped is an average of its weights.

fault: weights-not-loaded
also: 
split: train
line: 64
"""

import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(71)
VOCAB, LENGTH, POS, NEG, NOT = 40, 16, range(1, 6), range(6, 11), 11


def sentences(n):
    x = torch.randint(12, VOCAB, (n, LENGTH))
    y = torch.zeros(n, dtype=torch.long)
    for i in range(n):
        place = int(torch.randint(1, LENGTH, (1,)))
        good = int(torch.randint(0, 2, (1,)))
        negated = int(torch.randint(0, 2, (1,)))
        x[i, place] = (POS if good else NEG)[int(torch.randint(0, 5, (1,)))]
        if negated:
            x[i, place - 1] = NOT
        y[i] = good ^ negated
    return x, y


class Classifier(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb, self.pos = nn.Embedding(VOCAB, dim), nn.Parameter(0.02 * torch.randn(LENGTH, dim))
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, 2)

    def forward(self, x):
        return self.head(self.encoder(self.emb(x) + self.pos).mean(1))


class EMA:
    def __init__(self, model, decay):
        self.shadow, self.decay = copy.deepcopy(model), decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


x_train, y_train = sentences(2000)
x_test, y_test = sentences(500)
model = Classifier()
ema = EMA(model, decay=0.9999)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)

for epoch in range(8):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x_train)).split(50):
        loss = F.cross_entropy(model(x_train[idx]), y_train[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        ema.update(model)
        total += loss.item() * len(idx)
    print(f"epoch {epoch + 1} train loss {total / len(x_train):.4f}")

print(f"test accuracy {accuracy(ema.shadow, x_test, y_test):.3f}")
