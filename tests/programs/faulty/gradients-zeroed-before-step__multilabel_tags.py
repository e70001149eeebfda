"""Multi-label tag prediction from bag-of-words counts with gradient accumulation.

fault: gradients-zeroed-before-step
also:
split: train
line: 33
"""
import torch
import torch.nn as nn
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

torch.manual_seed(14)
torch.set_num_threads(1)
X, Y = make_multilabel_classification(n_samples=2200, n_features=60, n_classes=8, n_labels=3, random_state=14)
X = torch.tensor(X, dtype=torch.float32).log1p()
X = (X - X[:1800].mean(0)) / X[:1800].std(0)
Y = torch.tensor(Y, dtype=torch.float32)
Xtr, Ytr, Xva, Yva = X[:1800], Y[:1800], X[1800:], Y[1800:]

net = nn.Sequential(nn.Linear(60, 64), nn.LayerNorm(64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 8))
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
loss_fn = nn.BCEWithLogitsLoss()
ACCUM = 2

for epoch in range(12):
    net.train()
    optimizer.zero_grad()
    for i, idx in enumerate(torch.randperm(len(Xtr)).split(30)):
        loss = loss_fn(net(Xtr[idx]), Ytr[idx]) / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0:
            optimizer.zero_grad()
            optimizer.step()
    net.eval()
    with torch.no_grad():
        out = net(Xva)
    f1 = f1_score(Yva.numpy(), (out > 0).numpy(), average="micro")
    print(f"epoch {epoch + 1:2d} val loss {loss_fn(out, Yva).item():.4f} micro-F1 {f1:.4f}")
