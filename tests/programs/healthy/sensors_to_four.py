"""Compress correlated sensor readings to four numbers.

split: test
"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def readings(n=3000, sensors=20, factors=4, seed=0):
    g = torch.Generator().manual_seed(seed)
    z = torch.randn(n, factors, generator=g)
    mix = torch.randn(factors, sensors, generator=g)
    x = torch.sin(z @ mix * 0.6) * 3 + 0.05 * torch.randn(n, sensors, generator=g)
    return (x - x.mean(0)) / x.std(0)


class AutoEncoder(nn.Module):
    def __init__(self, n_in=20, code=4):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, code))
        self.decode = nn.Sequential(nn.Linear(code, 32), nn.ReLU(), nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, n_in))

    def forward(self, x):
        return self.decode(self.encode(x))


def fit():
    torch.manual_seed(0)
    x = readings()
    loader = DataLoader(TensorDataset(x[:2400]), batch_size=60, shuffle=True)
    ae = AutoEncoder()
    opt = torch.optim.Adam(ae.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=8, gamma=0.3)
    mse = nn.MSELoss()
    for epoch in range(16):
        for (xb,) in loader:
            opt.zero_grad()
            loss = mse(ae(xb), xb)
            loss.backward()
            opt.step()
        sched.step()
        with torch.no_grad():
            val = mse(ae(x[2400:]), x[2400:]).item()
        print(f"epoch {epoch:2d} val mse {val:.4f}")
    return val


print("SCORE", -fit())
