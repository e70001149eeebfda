"""Uses a classifier trained elsewhere as a fixed feature extractor for a new task.

fault: pretrained-input-mismatch
also: preprocessing-differs
split: test
line: 36
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
images, target = load_digits(return_X_y=True)
images, target = torch.tensor(images, dtype=torch.float32), torch.tensor(target)


def pretrained_backbone():
    torch.manual_seed(0)
    keep = target < 7
    x = (images[keep] / 8 - 1).view(-1, 1, 8, 8)
    y = target[keep]
    body = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.Tanh(), nn.MaxPool2d(2),
                         nn.Conv2d(16, 24, 3), nn.Tanh(), nn.Flatten(), nn.Linear(96, 32), nn.Tanh())
    top = nn.Linear(32, 7)
    opt = torch.optim.Adam([*body.parameters(), *top.parameters()], lr=3e-3)
    for _ in range(8):
        for i in torch.randperm(len(x)).split(50):
            opt.zero_grad()
            F.cross_entropy(top(body(x[i])), y[i]).backward()
            opt.step()
    return body.eval().requires_grad_(False)


def preprocess(im):
    return (im / 127.5 - 1).view(-1, 1, 8, 8)


backbone = pretrained_backbone()
scans = images / 16
torch.manual_seed(1)
mine = torch.where(target >= 6)[0]
mine = mine[torch.randperm(len(mine))]
tr, te = mine[:150], mine[150:]
probe = nn.Linear(32, 4)
opt = torch.optim.SGD(probe.parameters(), lr=0.1, momentum=0.9)
for epoch in range(40):
    for b in tr[torch.randperm(len(tr))].split(30):
        loss = F.cross_entropy(probe(backbone(preprocess(scans[b]))), target[b] - 6)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 10 == 9:
        acc = (probe(backbone(preprocess(scans[te]))).argmax(1) == target[te] - 6).float().mean()
        print(f"epoch {epoch + 1} loss {loss.item():.4f} probe accuracy {acc:.4f}")
