"""A small residual network on digits.

fault: excessive-weight-decay
also: 
split: test
line: 15
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

CFG = dict(lr=2e-3, weight_decay=0.3, epochs=8, batch_size=64, channels=16, seed=17)

torch.set_num_threads(1)
torch.manual_seed(CFG["seed"])


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1 = nn.Conv2d(c, c, 3, padding=1)
        self.conv2 = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        h = F.relu(self.conv1(x))
        return F.relu(x + self.conv2(h))


class TinyResNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.stem = nn.Conv2d(1, c, 3, padding=1)
        self.b1 = Block(c)
        self.b2 = Block(c)
        self.fc = nn.Linear(c * 4, 10)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = F.max_pool2d(self.b1(x), 2)
        x = F.max_pool2d(self.b2(x), 2)
        return self.fc(x.flatten(1))


images, labels = load_digits(return_X_y=True)
images = ((images - 8.0) / 6.0).reshape(-1, 1, 8, 8).astype("float32")
xtr, xte, ytr, yte = train_test_split(images, labels, test_size=0.2, random_state=0, stratify=labels)
xtr, xte, ytr, yte = map(torch.from_numpy, (xtr, xte, ytr, yte))

model = TinyResNet(CFG["channels"])
optimizer = torch.optim.Adam(model.parameters(), lr=CFG["lr"], weight_decay=CFG["weight_decay"])

for epoch in range(CFG["epochs"]):
    model.train()
    perm, total = torch.randperm(len(xtr)), 0.0
    for start in range(0, len(xtr), CFG["batch_size"]):
        idx = perm[start:start + CFG["batch_size"]]
        loss = F.cross_entropy(model(xtr[idx]), ytr[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    model.eval()
    with torch.inference_mode():
        logits = model(xte)
        acc = (logits.argmax(1) == yte).float().mean().item()
        vloss = F.cross_entropy(logits, yte).item()
    print(f"epoch {epoch + 1}: train {total / len(xtr):.3f} | test {vloss:.3f} | acc {acc:.3f}")
