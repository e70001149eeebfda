"""Handwritten digits with a small convnet, exported from a notebook.

fault: double-softmax
also:
split: train
line: 38
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(3)
torch.set_num_threads(1)

# In[2]
digits = load_digits()
X = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
y = torch.tensor(digits.target)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
print(X_train.shape, X_test.shape)


# In[3]
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 12, 3, padding=1)
        self.conv2 = nn.Conv2d(12, 24, 3, padding=1)
        self.fc1 = nn.Linear(24 * 4, 48)
        self.fc2 = nn.Linear(48, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return F.softmax(self.fc2(x), dim=1)


# In[4]
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

for epoch in range(12):
    net.train()
    perm = torch.randperm(len(X_train))
    total = 0.0
    for i in range(0, len(perm), 64):
        b = perm[i:i + 64]
        opt.zero_grad()
        out = net(X_train[b])
        loss = F.cross_entropy(out, y_train[b])
        loss.backward()
        opt.step()
        total += loss.item() * len(b)
    net.eval()
    with torch.no_grad():
        acc = (net(X_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch:2d}  loss {total / len(perm):.4f}  test acc {acc:.4f}")
