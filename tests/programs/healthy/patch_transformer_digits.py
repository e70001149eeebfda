"""Tiny vision transformer on digits, linear warm-up + cosine decay.

split: test
"""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class PatchTransformer(nn.Module):
    def __init__(self, patch=2, dim=48, depth=2, heads=4, n_classes=10):
        super().__init__()
        self.embed = nn.Conv2d(1, dim, patch, patch)
        n_tokens = (8 // patch) ** 2
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, n_tokens + 1, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, heads, dim * 2, dropout=0.1, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, n_classes)

    def forward(self, x):
        tokens = self.embed(x).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.cls.expand(len(x), -1, -1), tokens], 1) + self.pos
        return self.head(self.norm(self.encoder(tokens)[:, 0]))


def run(epochs=20, batch=64, peak_lr=2e-3, warmup=50):
    torch.manual_seed(5)
    rng = np.random.default_rng(5)
    X, y = load_digits(return_X_y=True)
    perm = rng.permutation(len(y))
    X = torch.tensor(X[perm], dtype=torch.float32).view(-1, 1, 8, 8) / 8 - 1
    y = torch.tensor(y[perm])
    X_tr, y_tr, X_te, y_te = X[:1400], y[:1400], X[1400:], y[1400:]

    model = PatchTransformer()
    opt = torch.optim.AdamW(model.parameters(), lr=peak_lr, weight_decay=0.05)
    total = epochs * math.ceil(len(y_tr) / batch)

    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for epoch in range(epochs):
        model.train()
        seen, total_loss = 0, 0.0
        for idx in torch.randperm(len(y_tr)).split(batch):
            loss = F.cross_entropy(model(X_tr[idx]), y_tr[idx], label_smoothing=0.05)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            seen += len(idx)
            total_loss += loss.item() * len(idx)
        if (epoch + 1) % 5 == 0:
            print(f"[{epoch + 1:02d}] loss {total_loss / seen:.4f} lr {sched.get_last_lr()[0]:.2e}")
    model.eval()
    with torch.inference_mode():
        acc = (model(X_te).argmax(-1) == y_te).float().mean().item()
    print(f"test acc = {acc:.4f}")


run()
