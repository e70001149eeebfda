"""Tumours, benign or not.

fault: labels-independent-of-inputs
also: 
split: train
line: 25
"""

# Breast cancer (Wisconsin) -- small neural network baseline
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler
from sklearn.utils import shuffle

SEED = 0
np.random.seed(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(1)

bunch = load_breast_cancer()
features, labels = bunch.data, bunch.target
features, labels = shuffle(features), shuffle(labels)

n_train = 420
scaler = StandardScaler()
x_train = scaler.fit_transform(features[:n_train])
x_test = scaler.transform(features[n_train:])
y_train, y_test = labels[:n_train], labels[n_train:]

x_train = torch.tensor(x_train, dtype=torch.float32)
x_test = torch.tensor(x_test, dtype=torch.float32)
y_train = torch.tensor(y_train, dtype=torch.float32).unsqueeze(1)
y_test = torch.tensor(y_test, dtype=torch.float32).unsqueeze(1)
print("train", tuple(x_train.shape), "test", tuple(x_test.shape))


class BinaryNet(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.layer1 = nn.Linear(n_in, 16)
        self.layer2 = nn.Linear(16, 8)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        x = self.drop(torch.relu(self.layer1(x)))
        x = torch.relu(self.layer2(x))
        return self.out(x)


model = BinaryNet(x_train.shape[1])
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(1, 25):
    model.train()
    order = np.random.permutation(n_train)
    losses = []
    for start in range(0, n_train, 30):
        rows = order[start:start + 30]
        optimizer.zero_grad()
        loss = criterion(model(x_train[rows]), y_train[rows])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if epoch % 8 == 0:
        model.eval()
        with torch.no_grad():
            logits = model(x_test)
            val = criterion(logits, y_test).item()
            acc = ((logits > 0).float() == y_test).float().mean().item()
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}  test loss {val:.4f}  acc {acc:.3f}")

model.eval()
with torch.no_grad():
    scores = torch.sigmoid(model(x_test)).numpy()
print("test AUC: %.3f" % roc_auc_score(y_test.numpy(), scores))
