"""Thirty clinical measurements are compressed to eight codes.

fault: unreachable-target
also:
split: test
line: 30
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler


class AutoEncoder(nn.Module):
    """Compress the 30 clinical measurements into a handful of codes."""

    def __init__(self, n_in, n_code=8):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(n_in, 32),
            nn.ELU(),
            nn.Linear(32, n_code),
        )
        self.decoder = nn.Sequential(
            nn.Linear(n_code, 32),
            nn.ELU(),
            nn.Linear(32, n_in),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def explained(x, xhat):
    return 1.0 - float(((x - xhat) ** 2).sum() / ((x - x.mean(0)) ** 2).sum())


def fit(seed=2, epochs=80, lr=2e-3):
    torch.manual_seed(seed)
    data = load_breast_cancer().data
    perm = np.random.RandomState(seed).permutation(len(data))
    train, test = data[perm[:450]], data[perm[450:]]
    scaler = StandardScaler().fit(train)
    train = torch.from_numpy(scaler.transform(train)).float()
    test = torch.from_numpy(scaler.transform(test)).float()

    ae = AutoEncoder(train.shape[1])
    optimizer = torch.optim.AdamW(ae.parameters(), lr=lr, weight_decay=1e-4)
    mse = nn.MSELoss()
    for epoch in range(1, epochs + 1):
        ae.train()
        total = 0.0
        for chunk in train[torch.randperm(len(train))].chunk(15):
            optimizer.zero_grad()
            loss = mse(ae(chunk), chunk)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(chunk)
        if epoch % 10 == 0:
            ae.eval()
            with torch.no_grad():
                ev = explained(test, ae(test))
            print("epoch {:3d}  mse {:.4f}  held-out variance explained {:.3f}".format(epoch, total / len(train), ev))


fit()
