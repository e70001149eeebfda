"""How full a tank is, from its echo.

fault: target-not-scaled
also:
split: test
line: 29
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader


class Echoes(Dataset):
    def __init__(self, n, seed):
        r = np.random.default_rng(seed)
        fill = r.uniform(0.02, 0.98, n)
        time = np.linspace(0, 1, 64)
        pulse = np.exp(-((time[None] - (1 - fill[:, None])) ** 2) / 0.003)
        self.signal = (pulse + 0.1 * r.normal(size=(n, 64))).astype("float32")
        self.fill = fill

    def __len__(self):
        return len(self.fill)

    def __getitem__(self, i):
        x = torch.from_numpy(self.signal[i]).unsqueeze(0)
        y = torch.tensor([self.fill[i]], dtype=torch.long)
        return x, y


def build():
    return nn.Sequential(
        nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(8, 16, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
        nn.Flatten(), nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 1),
    )


def evaluate(net, loader):
    net.eval()
    p, t = [], []
    with torch.no_grad():
        for x, y in loader:
            p.append(net(x))
            t.append(y)
    p, t = torch.cat(p), torch.cat(t)
    return (p - t).abs().mean().item()


def main():
    torch.manual_seed(0)
    train = DataLoader(Echoes(1200, 1), batch_size=32, shuffle=True)
    held_out = Echoes(300, 2)
    net = build()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(8):
        net.train()
        losses = []
        for x, y in train:
            loss = nn.functional.smooth_l1_loss(net(x), y.float(), beta=0.1)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        p = torch.tensor(held_out.signal).unsqueeze(1)
        with torch.no_grad():
            mae = (net(p)[:, 0] - torch.tensor(held_out.fill)).abs().mean()
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}, mean error {mae:.3f}")


if __name__ == "__main__":
    main()
