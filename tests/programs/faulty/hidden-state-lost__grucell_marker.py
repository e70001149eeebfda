"""A GRU cell looks for a marker in a sequence.

fault: hidden-state-lost
also: 
split: test
line: 37
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(77)

VOCAB, SEQ, HID, N_CLASSES = 12, 10, 48, 4


def make_data(n, gen):
    """Tokens 0-7 are filler; exactly one marker token (8..11) somewhere; label = which marker."""
    x = torch.randint(0, 8, (n, SEQ), generator=gen)
    y = torch.randint(0, N_CLASSES, (n,), generator=gen)
    pos = torch.randint(0, SEQ, (n,), generator=gen)
    x[torch.arange(n), pos] = 8 + y
    return x, y


class CellReader(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 16)
        self.cell = nn.GRUCell(16, HID)
        self.fc = nn.Linear(HID, N_CLASSES)

    def forward(self, tokens):
        e = self.emb(tokens)
        for t in range(tokens.size(1)):
            h = torch.zeros(tokens.size(0), HID)
            h = self.cell(e[:, t], h)
        return self.fc(h)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


g = torch.Generator().manual_seed(1)
xtr, ytr = make_data(2000, g)
xva, yva = make_data(500, g)

model = CellReader()
optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
loss_fn = nn.CrossEntropyLoss()
best = 0.0
for epoch in range(1, 9):
    model.train()
    losses = []
    for b in torch.randperm(len(xtr)).split(50):
        optimizer.zero_grad()
        loss = loss_fn(model(xtr[b]), ytr[b])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        losses.append(loss.item())
    acc = accuracy(model, xva, yva)
    best = max(best, acc)
    print("epoch", epoch, "loss", round(sum(losses) / len(losses), 4), "val acc", round(acc, 3))
print("best val acc", round(best, 3))
