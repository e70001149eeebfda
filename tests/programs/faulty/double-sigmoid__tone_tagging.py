"""Multi-label tagging: which of eight instruments are playing in a spectrum snapshot?

fault: double-sigmoid
also:
split: test
line: 33
"""
import torch
import torch.nn as nn
from sklearn.metrics import f1_score

torch.manual_seed(0)
TAGS, BINS = 8, 64
templates = torch.rand(TAGS, BINS) ** 4


def make_clips(n):
    tags = (torch.rand(n, TAGS) < 0.25).float()
    gains = 0.5 + torch.rand(n, TAGS)
    spectrum = (tags * gains) @ templates + 0.15 * torch.randn(n, BINS).abs()
    return torch.log1p(4 * spectrum), tags


class Tagger(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(BINS, hidden), nn.ReLU(), nn.Dropout(0.1),
                                   nn.Linear(hidden, hidden), nn.ReLU())
        self.tags = nn.Linear(hidden, TAGS)

    def forward(self, x):
        h = self.trunk(x)
        return torch.sigmoid(self.tags(h))


x_train, y_train = make_clips(4000)
x_test, y_test = make_clips(1000)
mean, std = x_train.mean(0), x_train.std(0)
x_train, x_test = (x_train - mean) / std, (x_test - mean) / std

model = Tagger()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=8, gamma=0.3)

for epoch in range(20):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x_train)).split(64):
        loss = criterion(model(x_train[idx]), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    scheduler.step()
    if epoch % 4 == 3:
        model.eval()
        with torch.no_grad():
            prob = torch.sigmoid(model(x_test))
        f1 = f1_score(y_test.numpy(), (prob > 0.5).numpy(), average="micro")
        print(f"epoch {epoch + 1} loss {total / len(x_train):.4f} test micro-F1 {f1:.4f}")
