"""A convolutional net for digits.

fault: gradients-not-zeroed
also: 
split: test
line: 60
"""

import time
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(3)

BATCH_SIZE = 64
EPOCHS = 8
LR = 0.02

digits = load_digits()
X = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
X = (X - 0.305) / 0.376
y = torch.tensor(digits.target)
tr, te = train_test_split(range(len(X)), test_size=0.2, random_state=0, stratify=digits.target)
train_loader = DataLoader(TensorDataset(X[tr], y[tr]), batch_size=BATCH_SIZE, shuffle=True)
test_loader = DataLoader(TensorDataset(X[te], y[te]), batch_size=256)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc1 = nn.Linear(32 * 2 * 2, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        x = x.flatten(1)
        x = torch.relu(self.fc1(x))
        return self.fc2(x)


net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=LR, momentum=0.9)

start = time.time()
for epoch in range(EPOCHS):
    net.train()
    running = 0.0
    for inputs, labels in train_loader:
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(inputs)

    net.eval()
    correct = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            correct += (net(inputs).argmax(1) == labels).sum().item()
    print(f"epoch {epoch + 1}: train loss {running / len(tr):.4f}  test acc {correct / len(te):.4f}")

print(f"done in {time.time() - start:.1f}s")
