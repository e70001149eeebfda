"""A tumour classifier with a sigmoid at its end and binary cross entropy.

fault: double-sigmoid
also:
split: train
line: 26
"""

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(103)
features, labels = load_breast_cancer(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(features, labels, random_state=3)
scaler = StandardScaler().fit(x_train)
x_train = torch.from_numpy(scaler.transform(x_train)).float()
x_test = torch.from_numpy(scaler.transform(x_test)).float()
y_train = torch.from_numpy(y_train).float().view(-1, 1)
y_test = torch.from_numpy(y_test).float().view(-1, 1)

model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

for epoch in range(30):
    for rows in torch.randperm(len(x_train)).split(32):
        optimizer.zero_grad()
        loss = criterion(model(x_train[rows]), y_train[rows])
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            probability = torch.sigmoid(model(x_test))
        accuracy = ((probability > 0.5).float() == y_test).float().mean().item()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f} test accuracy {accuracy:.3f}")
