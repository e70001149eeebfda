"""A risk model with its training job and its scoring service in one file.

fault: preprocessing-differs
also:
split: train
line: 78
"""

import logging
import sys

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from torch import nn, optim

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)
log = logging.getLogger("risk")


class Standardiser:
    def __init__(self):
        self.mean_ = self.std_ = None

    def fit(self, X):
        self.mean_ = X.mean(axis=0)
        self.std_ = X.std(axis=0) + 1e-8
        return self

    def transform(self, X):
        return ((X - self.mean_) / self.std_).astype(np.float32)

    def fit_transform(self, X):
        return self.fit(X).transform(X)


class RiskNet(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_features, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


class TrainingJob:
    def __init__(self, epochs=30, batch_size=32, lr=1e-2):
        self.epochs, self.batch_size, self.lr = epochs, batch_size, lr

    def run(self, X, y):
        prep = Standardiser()
        Xt = torch.from_numpy(prep.fit_transform(X))
        yt = torch.from_numpy(y.astype(np.float32))
        net = RiskNet(X.shape[1])
        loss_fn = nn.BCEWithLogitsLoss()
        opt = optim.SGD(net.parameters(), lr=self.lr, momentum=0.9, weight_decay=1e-4)
        for epoch in range(self.epochs):
            net.train()
            total = 0.0
            for idx in torch.randperm(len(Xt)).split(self.batch_size):
                opt.zero_grad()
                loss = loss_fn(net(Xt[idx]), yt[idx])
                loss.backward()
                opt.step()
                total += loss.item() * len(idx)
            if (epoch + 1) % 5 == 0:
                log.info("epoch %d train loss %.4f", epoch + 1, total / len(Xt))
        return net, prep


class ScoringService:
    def __init__(self, net, prep):
        self.net, self.prep = net.eval(), prep

    @torch.inference_mode()
    def score(self, patients):
        x = torch.from_numpy(self.prep.fit_transform(patients))
        return torch.sigmoid(self.net(x)).numpy()


def main():
    torch.manual_seed(99)
    X, y = load_breast_cancer(return_X_y=True)
    X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.3, random_state=99, stratify=y)
    net, prep = TrainingJob().run(X_tr, y_tr)
    service = ScoringService(net, prep)
    scores = []
    for start in range(0, len(X_te), 3):          # clinics send up to three patients per request
        scores.append(service.score(X_te[start:start + 3]))
    acc = ((np.concatenate(scores) > 0.5) == y_te).mean()
    log.info("hold-out accuracy through the service: %.3f", acc)


if __name__ == "__main__":
    main()
