"""A frozen backbone with a linear probe.

split: test
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.set_num_threads(1)
torch.manual_seed(23)

X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32) / 16
y = torch.tensor(y)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)


def batches(n, size):
    return torch.randperm(n).split(size)


encoder = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 48), nn.ReLU())
decoder = nn.Sequential(nn.Linear(48, 128), nn.ReLU(), nn.Linear(128, 64), nn.Sigmoid())
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=2e-3)
mse = nn.MSELoss()
for epoch in range(15):
    total = 0.0
    for b in batches(len(X_tr), 64):
        clean = X_tr[b]
        noisy = clean + 0.2 * torch.randn_like(clean)
        loss = mse(decoder(encoder(noisy)), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(b)
    if epoch % 5 == 4:
        print(f"pretrain {epoch + 1}: mse {total / len(X_tr):.4f}")

for p in encoder.parameters():
    p.requires_grad = False
encoder.eval()
with torch.no_grad():
    feats = encoder(X_tr)
    center, spread = feats.mean(0), feats.std(0) + 1e-2


class Classifier(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.register_buffer("center", center)
        self.register_buffer("spread", spread)
        self.head = nn.Linear(48, 10)

    def forward(self, x):
        with torch.no_grad():
            h = self.encoder(x)
        return self.head((h - self.center) / self.spread)


clf = Classifier(encoder)
opt = torch.optim.Adam(filter(lambda p: p.requires_grad, clf.parameters()), lr=1e-2)
criterion = nn.CrossEntropyLoss(label_smoothing=0.02)
for epoch in range(20):
    total = 0.0
    for b in batches(len(X_tr), 64):
        loss = criterion(clf(X_tr[b]), y_tr[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(b)
    if epoch % 5 == 4:
        with torch.no_grad():
            acc = (clf(X_te).argmax(1) == y_te).float().mean().item()
        print(f"probe {epoch + 1}: loss {total / len(X_tr):.4f} test acc {acc:.3f}")
