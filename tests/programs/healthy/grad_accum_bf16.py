"""bf16 autocast on the CPU, gradient accumulation (4 x 16) and clipping; MLP on digits.

split: test
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(33)
d = load_digits()
xtr, xte, ytr, yte = train_test_split(d.data.astype("float32") / 16, d.target, test_size=0.25, random_state=33,
                                      stratify=d.target)
mean, std = xtr.mean(), xtr.std()
xtr, xte = torch.from_numpy((xtr - mean) / std), torch.from_numpy((xte - mean) / std)
ytr, yte = torch.from_numpy(ytr), torch.from_numpy(yte)

MICRO, ACCUM, EPOCHS = 16, 4, 25
loader = DataLoader(TensorDataset(xtr, ytr), batch_size=MICRO, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Dropout(0.3), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, 10))
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.05)
updates = EPOCHS * (len(loader) // ACCUM)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, updates)
criterion = nn.CrossEntropyLoss()

for epoch in range(EPOCHS):
    model.train()
    opt.zero_grad()
    seen = tot = 0
    for i, (x, y) in enumerate(loader):
        if i >= len(loader) // ACCUM * ACCUM:
            break
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = model(x)
            loss = criterion(out.float(), y)
        (loss / ACCUM).backward()
        tot += loss.item() * len(y)
        seen += len(y)
        if (i + 1) % ACCUM == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            sched.step()
            opt.zero_grad()
    if epoch % 4 == 0:
        model.eval()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            o = model(xte).float()
        print(f"epoch {epoch:2d} train {tot / seen:.4f} test {criterion(o, yte).item():.4f} "
              f"acc {(o.argmax(1) == yte).float().mean().item():.4f}")
