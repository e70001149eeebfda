"""The order of three events in a log, told by a transformer.

fault: samples-mixed
also:
split: train
line: 41
"""

import itertools
import math

import torch
import torch.nn as nn

torch.manual_seed(17)
ORDERS = list(itertools.permutations([1, 2, 3]))
VOCAB, LENGTH = 20, 16


def logs(n):
    x = torch.randint(4, VOCAB, (n, LENGTH))
    y = torch.randint(0, len(ORDERS), (n,))
    for row in range(n):
        slots = torch.randperm(LENGTH)[:3].sort().values
        x[row, slots] = torch.tensor(ORDERS[y[row]])
    return x, y


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.0, max_len=500):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[:x.size(0)]
        return self.dropout(x)


class OrderModel(nn.Module):
    def __init__(self, d_model=48):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, d_model)
        self.pos = PositionalEncoding(d_model)
        layer = nn.TransformerEncoderLayer(d_model, 4, 96, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(d_model, len(ORDERS))

    def forward(self, x):
        h = self.encoder(self.pos(self.embed(x)))
        return self.head(h.mean(dim=1))


x_train, y_train = logs(4000)
x_val, y_val = logs(500)
model = OrderModel()
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=2e-3, total_steps=8 * 63)

for epoch in range(8):
    model.train()
    losses = []
    for rows in torch.randperm(len(x_train)).split(64):
        loss = loss_fn(model(x_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        acc = (model(x_val).argmax(1) == y_val).float().mean().item()
    print(f"epoch {epoch}: train loss {sum(losses) / len(losses):.4f}, val acc {acc:.3f}")
