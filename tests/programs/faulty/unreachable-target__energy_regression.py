"""Energy use is predicted.

fault: unreachable-target
also: output-activation
split: test
line: 20
"""

import torch
from sklearn.datasets import make_friedman1
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        blocks = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            blocks.append(nn.Linear(a, b))
            blocks.append(nn.ReLU())
        self.net = nn.Sequential(*blocks)

    def forward(self, x):
        return self.net(x)


class Experiment:
    def __init__(self, seed=6):
        torch.manual_seed(seed)
        X, y = make_friedman1(n_samples=2000, n_features=8, noise=0.5, random_state=seed)
        sx, sy = StandardScaler().fit(X[:1600]), StandardScaler().fit(y[:1600, None])
        X = torch.tensor(sx.transform(X), dtype=torch.float32)
        y = torch.tensor(sy.transform(y[:, None]), dtype=torch.float32)
        self.train = DataLoader(TensorDataset(X[:1600], y[:1600]), batch_size=64, shuffle=True)
        self.x_test, self.y_test = X[1600:], y[1600:]
        self.model = Regressor([8, 64, 64, 1])
        self.loss = nn.SmoothL1Loss()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=3e-3, weight_decay=1e-3)

    def score(self):
        self.model.eval()
        with torch.no_grad():
            pred = self.model(self.x_test)
        ss = ((pred - self.y_test) ** 2).sum()
        return 1 - (ss / ((self.y_test - self.y_test.mean()) ** 2).sum()).item()

    def run(self, epochs=20):
        for epoch in range(1, epochs + 1):
            self.model.train()
            total = 0.0
            for x, y in self.train:
                self.opt.zero_grad()
                loss = self.loss(self.model(x), y)
                loss.backward()
                self.opt.step()
                total += loss.item() * len(x)
            if epoch % 5 == 0:
                print(f"epoch {epoch:2d} huber {total / 1600:.4f} test R2 {self.score():.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    Experiment().run()
