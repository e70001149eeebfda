"""A filter of unwanted mails by the words in them.

fault: train-mode-in-eval
also:
split: test
line: 44, 47
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(50)
V = 300
g = torch.Generator().manual_seed(50)
spam_rate = torch.rand(V, generator=g) * 0.05
ham_rate = spam_rate * torch.exp(0.9 * torch.randn(V, generator=g))


def mails(n):
    label = (torch.rand(n, generator=g) < 0.5).float()
    rate = torch.where(label[:, None] > 0, spam_rate, ham_rate).clamp(max=0.9)
    return torch.bernoulli(rate, generator=g), label


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Dropout(0.4)
        self.l1 = nn.Linear(V, 64)
        self.drop = nn.Dropout(0.7)
        self.l2 = nn.Linear(64, 1)

    def forward(self, x):
        return self.l2(self.drop(torch.relu(self.l1(self.inp(x))))).squeeze(-1)


train_set, valid_set = TensorDataset(*mails(3000)), TensorDataset(*mails(1000))
train_loader = DataLoader(train_set, batch_size=60, shuffle=True)
valid_loader = DataLoader(valid_set, batch_size=250)


def validate(model):
    with torch.no_grad():
        loss, right = 0.0, 0
        for x, y in valid_loader:
            out = model(x)
            loss += nn.functional.binary_cross_entropy_with_logits(out, y, reduction="sum").item()
            right += ((out > 0).float() == y).sum().item()
    return loss / 1000, right / 1000


model = Filter()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(10):
    model.train()
    for x, y in train_loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch %d: valid loss %.4f accuracy %.3f" % (epoch, *validate(model)))
