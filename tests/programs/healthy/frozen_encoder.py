"""A frozen encoder for a second task.

split: test
"""

import copy

import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(3)


class ConvNet(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(),
        )
        self.head = nn.Linear(32 * 16, n_out)

    def forward(self, x):
        return self.head(self.encoder(x))


def epoch_over(model, x, y, loss_fn, opt, batch=40):
    total, n = 0.0, 0
    for idx in torch.randperm(len(x)).split(batch):
        loss = loss_fn(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
        n += len(idx)
    return total / n


@torch.no_grad()
def score(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


data = load_digits()
images = (torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16 - 0.305) / 0.376
labels = torch.tensor(data.target)
low, high = labels < 6, labels >= 6

# first task: digits 0-5
first = ConvNet(6)
opt = torch.optim.SGD(first.parameters(), lr=0.02, momentum=0.9, nesterov=True)
ce = nn.CrossEntropyLoss()
x1, y1 = images[low], labels[low]
order = torch.randperm(len(x1))
fit_ids, val_ids = order[:880], order[880:]
for epoch in range(4):
    first.train()
    loss = epoch_over(first, x1[fit_ids], y1[fit_ids], ce, opt)
    print(f"first task epoch {epoch + 1} loss {loss:.4f} val acc {score(first, x1[val_ids], y1[val_ids]):.3f}")

# second task: digits 6-9 with few labels; encoder taken over and kept as it is
second = ConvNet(4)
taken = {k: v for k, v in copy.deepcopy(first.state_dict()).items() if k.startswith("encoder.")}
missing, unexpected = second.load_state_dict(taken, strict=False)
assert sorted(missing) == ["head.bias", "head.weight"] and not unexpected
second.encoder.requires_grad_(False)

x2, y2 = images[high], labels[high] - 6
order = torch.randperm(len(x2))
few, rest = order[:200], order[200:]
head_opt = torch.optim.Adam(second.head.parameters(), lr=1e-3, weight_decay=1e-3)
for epoch in range(1, 31):
    second.train()
    second.encoder.eval()
    loss = epoch_over(second, x2[few], y2[few], ce, head_opt)
    if epoch % 6 == 0:
        print(f"second task epoch {epoch} loss {loss:.4f} test acc {score(second, x2[rest], y2[rest]):.3f}")
