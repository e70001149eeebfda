"""Which of two markers comes first in a noisy sequence? A tiny transformer encoder.

fault: samples-mixed
also:
split: train
line: 38
"""
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(5)
T, D = 16, 32


class Markers(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randint(2, 20, (n, T), generator=g)
        self.y = torch.randint(0, 2, (n,), generator=g)
        for i in range(n):
            a, b = sorted(torch.randperm(T, generator=g)[:2].tolist())
            first, second = (0, 1) if self.y[i] == 0 else (1, 0)
            self.x[i, a], self.x[i, b] = first, second

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(20, D)
        self.pos = nn.Parameter(torch.randn(1, T, D) * 0.1)
        layer = nn.TransformerEncoderLayer(D, 4, 64, dropout=0.0)
        self.enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(D, 2)

    def forward(self, x):
        h = self.enc(self.tok(x) + self.pos)
        return self.head(h.mean(1))


model = Model()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
loader = DataLoader(Markers(2400, 0), batch_size=24, shuffle=True)
val = DataLoader(Markers(400, 1), batch_size=100)
for epoch in range(5):
    model.train()
    run = 0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        run += loss.item()
    model.eval()
    good = 0
    with torch.no_grad():
        for x, y in val:
            good += (model(x).argmax(1) == y).sum().item()
    print(f"epoch {epoch}: loss {run / len(loader):.3f} val {good / 400:.3f}")
print("SCORE", good / 400)
