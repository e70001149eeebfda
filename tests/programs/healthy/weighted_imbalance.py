"""Detecting a rare event with a positive weight in the binary cross-entropy, judged by the area under the curve.

split: train
"""

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

torch.set_num_threads(1)
torch.manual_seed(17)
rng = np.random.default_rng(17)

signal = rng.normal(size=(4000, 12)).astype("float32")
score = signal[:, 0] * signal[:, 1] + signal[:, 2] - 2.6
event = (score + 0.2 * rng.normal(size=4000) > 0).astype("float32")
x, y = torch.from_numpy(signal), torch.from_numpy(event)
x_train, y_train, x_test, y_test = x[:3000], y[:3000], x[3000:], y[3000:]
print(f"{y_train.mean().item():.1%} positive")

net = torch.nn.Sequential(
    torch.nn.Linear(12, 64), torch.nn.ReLU(), torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)
)
pos_weight = (1 - y_train).sum() / y_train.sum()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
for epoch in range(15):
    net.train()
    for rows in torch.randperm(3000).split(64):
        loss = F.binary_cross_entropy_with_logits(net(x_train[rows]).squeeze(1), y_train[rows], pos_weight=pos_weight)
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        print(epoch, round(roc_auc_score(y_test, net(x_test).squeeze(1)), 3))
