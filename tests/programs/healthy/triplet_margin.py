"""Metric learning with a triplet margin loss on wine, judged by the nearest neighbour.

split: train
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

torch.set_num_threads(1)
torch.manual_seed(9)
rng = np.random.default_rng(9)


def sample_triplets(labels, count):
    anchors = rng.integers(0, len(labels), count)
    positives = [rng.choice(np.flatnonzero(labels == labels[a])) for a in anchors]
    negatives = [rng.choice(np.flatnonzero(labels != labels[a])) for a in anchors]
    return anchors, np.array(positives), np.array(negatives)


x, y = load_wine(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(x, y, random_state=0, stratify=y)
scaler = StandardScaler().fit(x_train)
x_train = torch.tensor(scaler.transform(x_train), dtype=torch.float32)
x_test = torch.tensor(scaler.transform(x_test), dtype=torch.float32)

net = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 4))
criterion = nn.TripletMarginLoss(margin=1.0)
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
for step in range(120):
    a, p, n = sample_triplets(y_train, 64)
    loss = criterion(net(x_train[a]), net(x_train[p]), net(x_train[n]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, loss.item())
with torch.no_grad():
    probe = KNeighborsClassifier(3).fit(net(x_train).numpy(), y_train)
    print("accuracy", probe.score(net(x_test).numpy(), y_test))
