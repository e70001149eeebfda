"""Transformer encoder learns to count-and-compare: is token 'a' more frequent than 'b'? Warm-up then cosine.

split: test
"""

import math
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(29)
L, VOCAB = 12, 6


def make(n):
    x = torch.randint(0, VOCAB, (n, L))
    ca, cb = (x == 0).sum(1), (x == 1).sum(1)
    y = torch.where(ca > cb, 2, torch.where(ca == cb, 1, 0))
    return x, y


train_dl = DataLoader(TensorDataset(*make(3000)), batch_size=50, shuffle=True)
xt, yt = make(600)


class Classifier(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, d)
        self.pos = nn.Parameter(0.02 * torch.randn(1, L, d))
        layer = nn.TransformerEncoderLayer(d, 4, 64, dropout=0.05, batch_first=True, norm_first=True, activation="gelu")
        self.enc = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(d)
        self.fc = nn.Linear(d, 3)

    def forward(self, x):
        h = self.enc(self.emb(x) + self.pos)
        return self.fc(self.norm(h.mean(1)))


model = Classifier()
EPOCHS = 14
total, warm = EPOCHS * len(train_dl), 60
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)


def factor(step):
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))


sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
crit = nn.CrossEntropyLoss()
for epoch in range(EPOCHS):
    model.train()
    run = 0.0
    for x, y in train_dl:
        loss = crit(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        run += loss.item()
    model.eval()
    with torch.no_grad():
        out = model(xt)
    print(f"{epoch + 1:2d} lr {sched.get_last_lr()[0]:.2e} train {run / len(train_dl):.4f} "
          f"test {crit(out, yt).item():.4f} acc {(out.argmax(1) == yt).float().mean().item():.4f}")
