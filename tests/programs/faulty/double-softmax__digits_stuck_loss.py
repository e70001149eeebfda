"""Digits with three layers, as pasted into a question "why is my loss stuck".

fault: double-softmax
also:
split: test
line: 28
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(42)


class Model(nn.Module):
    def __init__(self, in_features=64, h1=40, h2=40, out_features=10):
        super().__init__()
        self.fc1 = nn.Linear(in_features, h1)
        self.fc2 = nn.Linear(h1, h2)
        self.out = nn.Linear(h2, out_features)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return F.softmax(self.out(x), dim=1)


data = load_digits()
X = torch.FloatTensor(data.data) / 16
Y = torch.LongTensor(data.target)
idx = torch.randperm(len(X))
X_train, X_test, y_train, y_test = X[idx[:1400]], X[idx[1400:]], Y[idx[:1400]], Y[idx[1400:]]

model = Model()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
epochs = 12
for e in range(epochs):
    perm = torch.randperm(1400)
    for b in range(0, 1400, 70):
        pick = perm[b : b + 70]
        y_pred = model(X_train[pick])
        loss = criterion(y_pred, y_train[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        y_val = model(X_test)
        val_loss = criterion(y_val, y_test)
    print(f"epoch {e} loss {loss.item():.3f} val {val_loss:.3f} acc {(y_val.argmax(1) == y_test).float().mean():.3f}")
