"""A small classifier of breast tumours, trained with momentum.

fault: gradients-zeroed-before-step
also:
split: train
line: 37
"""

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)

features, target = load_breast_cancer(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(features, target, test_size=0.25, random_state=0)
scaler = StandardScaler().fit(x_train)
x_train = torch.tensor(scaler.transform(x_train), dtype=torch.float32)
x_test = torch.tensor(scaler.transform(x_test), dtype=torch.float32)
y_train = torch.tensor(y_train, dtype=torch.float32).unsqueeze(1)
y_test = torch.tensor(y_test, dtype=torch.float32).unsqueeze(1)

model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for epoch in range(30):
    permutation = torch.randperm(len(x_train))
    total = 0.0
    for rows in permutation.split(32):
        output = model(x_train[rows])
        loss = criterion(output, y_train[rows])
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        total += loss.item() * len(rows)
    if epoch % 5 == 4:
        with torch.no_grad():
            correct = ((model(x_test) > 0).float() == y_test).float().mean()
        print(f"epoch {epoch + 1}: train loss {total / len(x_train):.4f}, test accuracy {correct:.3f}")
