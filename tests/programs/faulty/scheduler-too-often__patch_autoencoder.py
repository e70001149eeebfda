"""Patches that are squeezed and restored.

fault: scheduler-too-often
also: learning-rate-too-low
split: test
line: 42, 55
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_sample_image


def patches(size=8, n=3000, seed=0):
    img = torch.tensor(load_sample_image("china.jpg"), dtype=torch.float32).mean(-1) / 255.0
    g = torch.Generator().manual_seed(seed)
    h, w = img.shape
    r = torch.randint(0, h - size, (n,), generator=g)
    c = torch.randint(0, w - size, (n,), generator=g)
    p = torch.stack([img[i:i + size, j:j + size] for i, j in zip(r.tolist(), c.tolist())])
    p = p.flatten(1)
    return (p - p.mean()) / p.std()


class AutoEncoder(nn.Module):
    def __init__(self, d=64, code=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d, 96), nn.ELU(), nn.Linear(96, code))
        self.decoder = nn.Sequential(nn.Linear(code, 96), nn.ELU(), nn.Linear(96, d))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def main():
    torch.manual_seed(0)
    data = patches()
    train, test = data[:2500], data[2500:]
    model = AutoEncoder()
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.1)
    epochs, batch = 30, 100
    for epoch in range(epochs):
        model.train()
        total = 0.0
        perm = torch.randperm(len(train))
        for i in range(0, len(train), batch):
            x = train[perm[i:i + batch]]
            loss = criterion(model(x), x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        scheduler.step()
        if epoch % 6 == 0:
            print(f"epoch {epoch}: train mse {total / len(train):.4f}")
    model.eval()
    with torch.no_grad():
        mse = criterion(model(test), test).item()
    print(f"test mse {mse:.4f} explained variance {1 - mse / test.var().item():.3f}")


if __name__ == "__main__":
    main()
