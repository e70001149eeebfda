"""Features learned by an autoencoder and a classifier, probed by a second one.

fault: weights-not-loaded
also:
split: test
line: 70, 69
"""

import io
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.manual_seed(0)
np.random.seed(0)


class AutoEncoder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 64), nn.Tanh(), nn.Linear(64, width))
        self.decoder = nn.Sequential(
            nn.Linear(width, 128), nn.Tanh(), nn.Linear(128, 64))
        self.classifier = nn.Linear(width, 10)

    def forward(self, x):
        z = self.encoder(x)
        return self.decoder(z), self.classifier(z)


class Probe(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 64), nn.Tanh(), nn.Linear(64, width))
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        return self.head(self.backbone(x))


digits = load_digits()
X = torch.tensor((digits.data - 8) / 8, dtype=torch.float32)
y = torch.tensor(digits.target)
perm = torch.randperm(len(X))
big, small, test = perm[:1000], perm[1000:1080], perm[1080:]

# ---- stage 1: encoder on the big set
ae = AutoEncoder()
opt = torch.optim.Adam(ae.parameters(), lr=2e-3)
for epoch in range(40):
    order = big[torch.randperm(len(big))]
    for i in range(0, len(order), 50):
        xb, yb = X[order[i:i + 50]], y[order[i:i + 50]]
        rec, logits = ae(xb)
        loss = nn.functional.mse_loss(rec, xb) + nn.functional.cross_entropy(logits, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
print("stage 1 loss", round(loss.item(), 4))
buf = io.BytesIO()
torch.save(ae.state_dict(), buf)
buf.seek(0)

# ---- stage 2: few labelled examples, frozen encoder
probe = Probe()
state = torch.load(buf)
probe.load_state_dict(state, strict=False)
for p in probe.backbone.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(probe.head.parameters(), lr=0.1, momentum=0.9)
for epoch in range(200):
    loss = nn.functional.cross_entropy(probe(X[small]), y[small])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 40 == 0:
        print("probe", epoch, round(loss.item(), 4))
with torch.no_grad():
    acc = (probe(X[test]).argmax(1) == y[test]).float().mean().item()
print(f"probe accuracy on test: {acc:.3f}")
