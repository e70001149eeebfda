"""Features learnt on digits 0 to 5 and used again for 6 to 9.

fault: optimizer-missing-parameters
also:
split: train
line: 76
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(),
        )
        self.head = nn.Linear(64, n_out)

    def forward(self, x):
        return self.head(self.backbone(x))


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.loss_fn = nn.CrossEntropyLoss()

    def fit(self, train, test, epochs, tag):
        loader = DataLoader(train, batch_size=32, shuffle=True)
        for ep in range(1, epochs + 1):
            self.model.train()
            tot = 0.0
            for x, y in loader:
                self.model.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                tot += loss.item()
            if ep % 3 == 0:
                print(f"[{tag}] epoch {ep} loss {tot / len(loader):.4f} test acc {self.score(test):.3f}")

    @torch.no_grad()
    def score(self, ds):
        self.model.eval()
        x, y = ds.tensors
        return (self.model(x).argmax(1) == y).float().mean().item()


def split(X, y, keep, offset):
    rows = [i for i in range(len(y)) if y[i] in keep]
    X, y = torch.tensor(X[rows], dtype=torch.float32).unsqueeze(1), torch.tensor(y[rows]) - offset
    X = (X - 4.9) / 6.0
    a, b, c, d = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    return TensorDataset(a, c), TensorDataset(b, d)


def main():
    torch.manual_seed(4)
    data = load_digits()
    source = split(data.images, data.target, range(0, 6), 0)
    target = split(data.images, data.target, range(6, 10), 6)

    model = Classifier(6)
    Trainer(model, torch.optim.Adam(model.parameters(), lr=1e-3)).fit(*source, epochs=6, tag="source")

    for p in model.backbone.parameters():
        p.requires_grad_(False)
    finetune_opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    model.head = nn.Linear(64, 4)
    Trainer(model, finetune_opt).fit(*target, epochs=24, tag="target")


if __name__ == "__main__":
    main()
