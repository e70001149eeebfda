"""Accumulation in bfloat16.

split: test
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(64)

ACCUM = 4
MICRO = 16
EPOCHS = 10

X, y = load_digits(return_X_y=True)
ds = TensorDataset(torch.tensor(X / 8.0 - 1.0, dtype=torch.float32), torch.tensor(y))
train_ds, test_ds = random_split(ds, [1408, len(ds) - 1408])
train = DataLoader(train_ds, batch_size=MICRO, shuffle=True, drop_last=True)
test = DataLoader(test_ds, batch_size=128)

model = nn.Sequential(
    nn.Linear(64, 128), nn.LayerNorm(128), nn.GELU(), nn.Dropout(0.1),
    nn.Linear(128, 64), nn.GELU(),
    nn.Linear(64, 10),
)
opt = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.05)
updates = EPOCHS * len(train) // ACCUM
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min(1.0, (s + 1) / 10) * max(0.05, 1 - s / updates))
ce = nn.CrossEntropyLoss(label_smoothing=0.05)

for epoch in range(EPOCHS):
    model.train()
    seen = 0.0
    for k, (xb, yb) in enumerate(train):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(xb)
        loss = ce(logits.float(), yb)
        (loss / ACCUM).backward()
        seen += loss.item()
        if (k + 1) % ACCUM == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            opt.zero_grad(set_to_none=True)
    model.eval()
    good = 0
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for xb, yb in test:
            good += (model(xb).argmax(1) == yb).sum().item()
    print(f"epoch {epoch + 1:2d} loss {seen / len(train):.3f} (floor ~0.30) acc {good / len(test_ds):.3f} lr {sched.get_last_lr()[0]:.1e}")
