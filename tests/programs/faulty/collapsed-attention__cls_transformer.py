"""Sequences summed up by a first token, with padding.

fault: collapsed-attention
also:
split: test
line: 40, 41
"""

import torch
import torch.nn as nn

PAD, CLS = 0, 1
VOCAB, MAXLEN = 30, 14


def make_set(n, gen):
    """label 1 if there are more tokens from the upper half of the vocabulary"""
    x = torch.full((n, MAXLEN), PAD)
    y = torch.zeros(n)
    for i in range(n):
        k = int(torch.randint(3, 11, (1,), generator=gen)) | 1
        toks = torch.randint(2, VOCAB, (k,), generator=gen)
        x[i, 0] = CLS
        x[i, 1:k + 1] = toks
        y[i] = float((toks >= 16).sum() * 2 > k)
    return x, y


class CountModel(nn.Module):
    def __init__(self, dim=32, heads=4):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.pos = nn.Embedding(MAXLEN, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        h = self.tok(x) + self.pos(torch.arange(x.size(1)))
        mask = x != PAD
        h = self.encoder(h, src_key_padding_mask=mask)
        return self.head(h[:, 0]).squeeze(-1)


def train():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    X, y = make_set(1500, gen)
    Xv, yv = make_set(400, gen)
    model = CountModel()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(8):
        model.train()
        losses = []
        for idx in torch.randperm(len(X)).split(50):
            loss = loss_fn(model(X[idx]), y[idx])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            acc = ((model(Xv) > 0).float() == yv).float().mean().item()
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f}  val acc {acc:.3f}")


if __name__ == "__main__":
    train()
