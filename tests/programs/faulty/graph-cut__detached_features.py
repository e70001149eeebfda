"""A digit classifier made of a feature extractor and a classifier, trained together with Adam.

fault: graph-cut
also:
split: train
line: 34
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn


class Extractor(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 3, stride=2, padding=1)
        self.project = nn.Linear(6 * 16, 10)

    def forward(self, x):
        return torch.tanh(self.project(torch.relu(self.conv(x)).flatten(1)))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.extractor = Extractor()
        self.norm = nn.LayerNorm(10)
        self.linear = nn.Linear(10, 10)

    def forward(self, x):
        features = self.extractor(x).detach()
        return self.linear(self.norm(features))


torch.set_num_threads(1)
torch.manual_seed(20)
digits = load_digits()
x_train, x_test, y_train, y_test = train_test_split(digits.images, digits.target, random_state=1)
x_train = torch.tensor(x_train, dtype=torch.float32).unsqueeze(1) / 8 - 1
x_test = torch.tensor(x_test, dtype=torch.float32).unsqueeze(1) / 8 - 1
y_train, y_test = torch.tensor(y_train), torch.tensor(y_test)

model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x_train)).split(32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x_train[rows]), y_train[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch}: loss {loss.item():.3f}  test accuracy {accuracy:.3f}")
