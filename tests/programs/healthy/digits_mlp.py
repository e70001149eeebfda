"""MLP on the scikit-learn digits.

split: train
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = load_digits()
xt, xv, yt, yv = train_test_split(data.data / 16.0, data.target, test_size=0.25, stratify=data.target, random_state=0)
xt, xv = torch.tensor(xt, dtype=torch.float32), torch.tensor(xv, dtype=torch.float32)
yt, yv = torch.tensor(yt), torch.tensor(yv)
mu, sd = xt.mean(), xt.std()
xt, xv = (xt - mu) / sd, (xv - mu) / sd

model = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, 10))
loader = DataLoader(TensorDataset(xt, yt), batch_size=32, shuffle=True)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(25):
    model.train()
    total = 0.0
    for x, y in loader:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
    model.eval()
    with torch.no_grad():
        logits = model(xv)
        val_loss = loss_fn(logits, yv).item()
        acc = (logits.argmax(1) == yv).float().mean().item()
    if epoch % 4 == 0:
        print(f"epoch {epoch:2d} train {total / len(yt):.4f} val {val_loss:.4f} acc {acc:.4f}")
print(f"score {acc:.4f}")
