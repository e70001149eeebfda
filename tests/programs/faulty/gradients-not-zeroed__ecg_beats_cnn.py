"""Beat classification on synthetic ECG strips with a 1-D convnet.

fault: gradients-not-zeroed
also:
split: train
line: 46
"""
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)


def make_beats(n, seed):
    g = np.random.default_rng(seed)
    t = np.linspace(-1, 1, 64)
    xs, ys = [], []
    for _ in range(n):
        k = g.integers(0, 4)
        c = g.normal(0, 0.12)
        width = [0.05, 0.05, 0.14, 0.05][k]
        qrs = np.exp(-((t - c) / width) ** 2)
        p = 0.0 if k == 1 else 0.35 * np.exp(-((t - c + 0.4) / 0.08) ** 2)
        tw = (-0.4 if k == 3 else 0.4) * np.exp(-((t - c - 0.45) / 0.12) ** 2)
        xs.append(qrs + p + tw + 0.15 * g.normal(size=64))
        ys.append(k)
    return torch.tensor(np.array(xs), dtype=torch.float32)[:, None], torch.tensor(ys)


class BeatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 12, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(12, 24, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
        )
        self.classifier = nn.Linear(24 * 16, 4)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def train_epoch(model, opt, loss_fn, x, y, bs=25):
    model.train()
    opt.zero_grad()
    running = 0.0
    for idx in torch.randperm(len(x)).split(bs):
        loss = loss_fn(model(x[idx]), y[idx])
        loss.backward()
        opt.step()
        running += loss.item() * len(idx)
    return running / len(x)


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(99)
    xtr, ytr = make_beats(1000, 0)
    xva, yva = make_beats(300, 1)
    model = BeatNet()
    opt = torch.optim.SGD(model.parameters(), lr=0.08, momentum=0.5)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(10):
        tl = train_epoch(model, opt, loss_fn, xtr, ytr)
        print(f"epoch {epoch}: train loss {tl:.4f}, val acc {accuracy(model, xva, yva):.4f}")


main()
