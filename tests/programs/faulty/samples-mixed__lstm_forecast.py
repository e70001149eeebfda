"""Next-value forecasting of many wavy series with an LSTM over sliding windows.

fault: samples-mixed
also:
split: train
line: 37
"""
import math
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader


torch.manual_seed(21)
torch.set_num_threads(1)


class Waves(Dataset):
    def __init__(self, n, length=24):
        self.items = []
        for _ in range(n):
            f = torch.empty(1).uniform_(0.2, 1.2)
            ph = torch.empty(1).uniform_(0, 2 * math.pi)
            s = torch.sin(f * torch.arange(length + 1) + ph) + 0.03 * torch.randn(length + 1)
            self.items.append((s[:-1].unsqueeze(-1), s[-1:]))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Forecaster(nn.Module):
    def __init__(self, n_hidden=40):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=n_hidden)
        self.head = nn.Linear(n_hidden, 1)

    def forward(self, window):
        out, _ = self.lstm(window)
        return self.head(out[:, -1, :])


class Trainer:
    def __init__(self, model, lr, epochs):
        self.model, self.epochs = model, epochs
        self.opt = torch.optim.RMSprop(model.parameters(), lr=lr)
        self.loss_fn = nn.MSELoss()

    def fit(self, train, val):
        for e in range(self.epochs):
            self.model.train()
            tl = [self.step(x, y) for x, y in train]
            print(f"[{e + 1}/{self.epochs}] train {sum(tl) / len(tl):.4f} val {self.evaluate(val):.4f}")

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def evaluate(self, dl):
        self.model.eval()
        return sum(self.loss_fn(self.model(x), y).item() for x, y in dl) / len(dl)


train_dl = DataLoader(Waves(1024), batch_size=32, shuffle=True)
val_dl = DataLoader(Waves(256), batch_size=32)
Trainer(Forecaster(), 2e-3, 10).fit(train_dl, val_dl)
