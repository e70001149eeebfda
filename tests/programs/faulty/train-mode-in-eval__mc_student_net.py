"""Breast cancer screening by a student: batch norm network, then a patient-by-patient report on the test part.

fault: train-mode-in-eval
also:
split: train
line: 47
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.set_num_threads(1)
torch.manual_seed(2)

data = load_breast_cancer()
x_train, x_test, y_train, y_test = train_test_split(data.data, data.target, test_size=0.3, random_state=2)
scaler = StandardScaler().fit(x_train)
x_train = torch.tensor(scaler.transform(x_train)).float()
x_test = torch.tensor(scaler.transform(x_test)).float()
y_train, y_test = torch.tensor(y_train).float(), torch.tensor(y_test).float()

net = nn.Sequential(
    nn.Linear(30, 32),
    nn.BatchNorm1d(32),
    nn.ReLU(),
    nn.Dropout(0.3),
    nn.Linear(32, 16),
    nn.BatchNorm1d(16),
    nn.ReLU(),
    nn.Linear(16, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.003)


def evaluate(batch=4):
    hits = 0
    order = y_test.argsort()
    with torch.no_grad():
        for i in range(0, len(order), batch):
            rows = order[i : i + batch]
            if len(rows) < 2:
                continue
            hits += ((net(x_test[rows]).squeeze(1) > 0).float() == y_test[rows]).sum().item()
    return hits / len(order)


for epoch in range(20):
    net.train()
    shuffled = torch.randperm(len(x_train))
    for rows in shuffled.split(32):
        if len(rows) < 8:
            continue
        optimizer.zero_grad()
        loss = criterion(net(x_train[rows]).squeeze(1), y_train[rows])
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f} test accuracy {evaluate():.3f}")
