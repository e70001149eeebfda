"""Several tags for each document, from its words.

fault: labels-independent-of-inputs
also:
split: train
line: 48
"""

import numpy as np
import torch
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

torch.manual_seed(9)
X, Y = make_multilabel_classification(n_samples=1800, n_features=60, n_classes=6, n_labels=2,
                                      length=60, allow_unlabeled=False, random_state=9)
X = np.log1p(X)
n_train = 1350
mu, sd = X[:n_train].mean(0), X[:n_train].std(0) + 1e-6
X = (X - mu) / sd
x_train = torch.from_numpy(X[:n_train]).float()
y_train = torch.from_numpy(Y[:n_train]).float()
x_test, y_test = torch.from_numpy(X[n_train:]).float(), Y[n_train:]

W1 = torch.empty(60, 96)
torch.nn.init.kaiming_normal_(W1, mode="fan_out", nonlinearity="relu")
b1 = torch.zeros(96)
W2 = torch.empty(96, 6)
torch.nn.init.xavier_normal_(W2)
b2 = torch.zeros(6)
params = [W1, b1, W2, b2]
for p in params:
    p.requires_grad_(True)


def forward(x):
    return torch.relu(x @ W1 + b1) @ W2 + b2


def bce(logits, t):
    return (torch.clamp(logits, min=0) - logits * t + torch.log1p(torch.exp(-logits.abs()))).mean()


opt = torch.optim.RMSprop(params, lr=1e-3, weight_decay=1e-3)
bs = 45
for epoch in range(1, 26):
    x_train = x_train[torch.randperm(n_train)]
    y_train = y_train[torch.randperm(n_train)]
    epoch_loss = 0
    for k in range(0, n_train, bs):
        loss = bce(forward(x_train[k:k + bs]), y_train[k:k + bs])
        opt.zero_grad()
        loss.backward()
        opt.step()
        epoch_loss += loss.item() * bs / n_train
    if epoch % 5 == 0:
        with torch.no_grad():
            pred = (forward(x_test) > 0).numpy().astype(int)
        print("epoch", epoch, "loss %.4f" % epoch_loss,
              "test micro-F1 %.3f" % f1_score(y_test, pred, average="micro", zero_division=0))
