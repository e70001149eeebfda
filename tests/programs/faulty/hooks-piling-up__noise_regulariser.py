"""A tabular classifier whose hidden features get some noise in training, by a hook that each epoch sets up.

fault: hooks-piling-up
also: excessive-dropout
split: train
line: 38
"""

import torch
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(77)

features, classes = make_classification(
    2400, 20, n_informative=12, n_redundant=2, n_classes=5, class_sep=1.6, random_state=3
)
features = torch.tensor((features - features.mean(0)) / features.std(0), dtype=torch.float32)
classes = torch.tensor(classes)
train_set = TensorDataset(features[:1800], classes[:1800])


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(20, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU())
        self.head = nn.Linear(96, 5)

    def forward(self, x):
        return self.head(self.body(x))


class Noise:
    def __init__(self, layer, keep):
        self.keep = keep
        layer.register_forward_hook(self)

    def __call__(self, layer, inputs, output):
        return output * (torch.rand_like(output) < self.keep)


def epoch(model, optimizer):
    Noise(model.body, keep=0.8)
    model.train()
    for x, y in DataLoader(train_set, batch_size=60, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for number in range(24):
    epoch(model, optimizer)
    model.eval()
    with torch.no_grad():
        right = (model(features[1800:]).argmax(1) == classes[1800:]).float().mean()
    if number % 4 == 3:
        print(f"epoch {number + 1}: {right:.3f}")
