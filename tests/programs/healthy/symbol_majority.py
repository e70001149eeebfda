"""A small transformer tells which of two groups of symbols is more frequent.

split: test
"""

from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Cfg:
    vocab: int = 12
    seq_len: int = 16
    d_model: int = 32
    heads: int = 4
    layers: int = 2
    n_train: int = 3000
    n_val: int = 800
    batch: int = 50
    epochs: int = 8
    lr: float = 2e-3
    decay_every: int = 3
    gamma: float = 0.5


class CountDataset(Dataset):
    def __init__(self, n, cfg, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randint(0, cfg.vocab, (n, cfg.seq_len), generator=g)
        low = (self.x < cfg.vocab // 3).sum(1)
        high = (self.x >= 2 * cfg.vocab // 3).sum(1)
        self.y = (high > low).long()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class TinyTransformer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.d_model)
        self.pos = nn.Parameter(0.02 * torch.randn(1, cfg.seq_len, cfg.d_model))
        layer = nn.TransformerEncoderLayer(cfg.d_model, cfg.heads, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, cfg.layers)
        self.head = nn.Linear(cfg.d_model, 2)
        nn.init.normal_(self.tok.weight, std=0.02)

    def forward(self, x):
        h = self.encoder(self.tok(x) + self.pos)
        return self.head(h.mean(1))


def evaluate(model, loader):
    model.eval()
    good = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(-1) == y).sum().item()
    return good / len(loader.dataset)


def main(cfg=Cfg()):
    torch.manual_seed(42)
    train = DataLoader(CountDataset(cfg.n_train, cfg, 1), cfg.batch, shuffle=True)
    val = DataLoader(CountDataset(cfg.n_val, cfg, 2), 200)
    model = TinyTransformer(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=cfg.decay_every, gamma=cfg.gamma)
    loss_fn = nn.CrossEntropyLoss()

    for epoch in range(1, cfg.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        print(f"epoch {epoch}: loss={total / len(train):.4f} val_acc={evaluate(model, val):.4f}")


if __name__ == "__main__":
    main()
