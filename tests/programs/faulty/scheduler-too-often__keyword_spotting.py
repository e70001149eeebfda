"""Tell five chirp 'keywords' apart from their log spectrograms.

fault: scheduler-too-often
also:
split: test
line: 73
"""
import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def synth(n, seed, length=1024):
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, length)
    y = torch.randint(0, 5, (n,), generator=g)
    start = 60 + 60 * torch.rand(n, 1, generator=g)
    wave = torch.empty(n, length)
    for i in range(n):
        f0 = start[i]
        k = int(y[i])
        if k == 0:
            phase = f0 * t + 45 * t ** 2                        # rising
        elif k == 1:
            phase = (f0 + 90) * t - 45 * t ** 2                 # falling
        elif k == 2:
            phase = (f0 + 45) * t                               # flat
        elif k == 3:
            phase = (f0 + 45) * t + 6 * torch.sin(2 * math.pi * t)          # slow warble
        else:
            phase = (f0 + 45) * t + 3 * torch.sin(2 * math.pi * 2 * t)      # fast warble
        wave[i] = torch.sin(2 * math.pi * phase)
    wave += 0.9 * torch.randn(n, length, generator=g)
    spec = torch.stft(wave, 64, hop_length=32, window=torch.hann_window(64), return_complex=True).abs()
    return torch.log1p(spec)[:, :24].unsqueeze(1), y


class KeywordNet(nn.Module):
    def __init__(self, n_out=5):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
        )
        self.pool = nn.AdaptiveAvgPool2d((1, 4))
        self.fc = nn.Linear(128, n_out)

    def forward(self, x):
        return self.fc(self.pool(self.body(x)).flatten(1))


class Trainer:
    def __init__(self, model, train, val, epochs):
        self.model, self.epochs = model, epochs
        self.train_loader = DataLoader(train, batch_size=40, shuffle=True)
        self.val_loader = DataLoader(val, batch_size=200)
        self.crit = nn.CrossEntropyLoss()
        self.opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-4, nesterov=True)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, step_size=4, gamma=0.3)

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            total = 0.0
            for x, y in self.train_loader:
                self.opt.zero_grad()
                loss = self.crit(self.model(x), y)
                loss.backward()
                self.opt.step()
                self.sched.step()
                total += loss.item()
            print(f"epoch {epoch} loss {total / len(self.train_loader):.4f} acc {self.evaluate():.4f}")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        ok = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_loader)
        return ok / len(self.val_loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(9)
    x, y = synth(2500, 9)
    train, val = random_split(TensorDataset(x, y), [2000, 500])
    idx = torch.tensor(train.indices)
    m, s = x[idx].mean(), x[idx].std()
    x.sub_(m).div_(s)
    trainer = Trainer(KeywordNet(), train, val, epochs=10)
    trainer.fit()
    print(f"score {trainer.evaluate():.4f}")
