"""Trainer with a config dictionary, digits, momentum SGD.

fault: clip-too-small
also:
split: test
line: 17
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(9)

CONFIG = {"lr": 0.05, "momentum": 0.9, "epochs": 12, "batch_size": 64, "max_grad_norm": 1e-3}


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        self.optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=config["momentum"])
        self.loss = nn.CrossEntropyLoss()

    def run_epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.loss(self.model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.config["max_grad_norm"])
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(-1) == y).float().mean().item()


digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
y = torch.tensor(digits.target)
perm = torch.randperm(len(x))
tr, te = perm[:1440], perm[1440:]
cnn = nn.Sequential(
    nn.Conv2d(1, 12, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(12, 24, 3, padding=1),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(24 * 16, 10),
)
trainer = Trainer(cnn, CONFIG)
loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=CONFIG["batch_size"], shuffle=True)
for epoch in range(CONFIG["epochs"]):
    loss = trainer.run_epoch(loader)
    print(f"[{epoch}] loss={loss:.4f} acc={trainer.score(x[te], y[te]):.3f}")
