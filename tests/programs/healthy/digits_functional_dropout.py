"""A plain network for the 8x8 digits.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(7)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 48)
        self.fc2 = nn.Linear(48, 48)
        self.fc3 = nn.Linear(48, 10)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.dropout(x, p=0.5, training=self.training)
        x = F.relu(self.fc2(x))
        x = F.dropout(x, p=0.5, training=self.training)
        return F.log_softmax(self.fc3(x), dim=1)


X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=7, stratify=y)
mean, std = X_train.mean(), X_train.std()
X_train = torch.FloatTensor((X_train - mean) / std)
X_test = torch.FloatTensor((X_test - mean) / std)
y_train, y_test = torch.LongTensor(y_train), torch.LongTensor(y_test)

model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.02, momentum=0.9)


def train(epoch, batch=32):
    model.train()
    order = torch.randperm(X_train.size(0))
    losses = []
    for chunk in order.split(batch):
        optimizer.zero_grad()
        loss = F.nll_loss(model(X_train[chunk]), y_train[chunk])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def test():
    model.eval()
    with torch.no_grad():
        out = model(X_test)
        return F.nll_loss(out, y_test).item(), out.argmax(dim=1).eq(y_test).float().mean().item()


for epoch in range(1, 31):
    tr = train(epoch)
    if epoch % 5 == 0:
        te, acc = test()
        print("Epoch {:2d}  train loss {:.4f}  test loss {:.4f}  test accuracy {:.2f}%".format(epoch, tr, te, 100 * acc))
