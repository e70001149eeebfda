"""Digits with a multilayer perceptron: training pictures are standardised, then the test pictures are scored.

fault: preprocessing-differs
also:
split: train
line: 23
"""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(236)

digits = load_digits()
x_train, x_test, y_train, y_test = train_test_split(digits.data, digits.target, test_size=0.2, random_state=0)
x_train, x_test = torch.tensor(x_train).float(), torch.tensor(x_test).float()
y_train, y_test = torch.tensor(y_train), torch.tensor(y_test)
mean, std = x_train.mean(), x_train.std()
x_train = (x_train - mean) / std
x_test = x_test / 256

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(12):
    model.train()
    for rows in torch.randperm(len(x_train)).split(32):
        optimizer.zero_grad()
        loss = criterion(model(x_train[rows]), y_train[rows])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
