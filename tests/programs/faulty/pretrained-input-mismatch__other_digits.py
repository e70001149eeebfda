"""A backbone of five digits, used for five others.

fault: pretrained-input-mismatch
also: 
split: train
line: 57
"""

import io
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(2)
torch.set_num_threads(1)


def backbone():
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        nn.Conv2d(24, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 48, 3, padding=1), nn.BatchNorm2d(48), nn.Tanh(), nn.MaxPool2d(2),
        nn.Flatten(),
    )


digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1)
labels = torch.tensor(digits.target)
first = labels < 5
mean, std = images[first].mean(), images[first].std()


def pretrain():
    x, y = (images[first] - mean) / std, labels[first]
    body, head = backbone(), nn.Linear(192, 5)
    opt = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=2e-3)
    for ep in range(8):
        for idx in torch.randperm(len(x)).split(64):
            if len(idx) < 8:
                continue
            loss = F.cross_entropy(head(body(x[idx])), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    print(f"pretraining loss {loss.item():.4f}")
    buf = io.BytesIO()
    torch.save(body.state_dict(), buf)
    buf.seek(0)
    return buf


checkpoint = pretrain()

# ---- transfer ----
x = images[~first] / 255.0
y = labels[~first] - 5
perm = torch.randperm(len(x))
tr, te = perm[:600], perm[600:]

body = backbone()
body.load_state_dict(torch.load(checkpoint))
body.requires_grad_(False)
body.eval()
head = nn.Linear(192, 5)
opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
for ep in range(15):
    tot = 0.0
    for idx in tr[torch.randperm(len(tr))].split(50):
        with torch.no_grad():
            feats = body(x[idx])
        loss = F.cross_entropy(head(feats), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item()
    with torch.no_grad():
        acc = (head(body(x[te])).argmax(1) == y[te]).float().mean()
    if ep % 3 == 2:
        print(f"epoch {ep + 1}: head loss {tot / 12:.4f}  test acc {acc:.3f}")
