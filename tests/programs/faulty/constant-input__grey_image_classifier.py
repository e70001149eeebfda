"""Stripe orientation from 8-bit images stored on disk as bytes.

fault: constant-input
also:
split: test
line: 29
"""
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(39)
np.random.seed(39)


def save_images(n, size=14):
    lab = np.random.randint(0, 4, n)
    yy, xx = np.mgrid[:size, :size]
    ims = []
    for k in lab:
        a = k * np.pi / 4
        v = np.sin((xx * np.cos(a) + yy * np.sin(a)) * 1.3 + np.random.rand() * 6.28)
        ims.append(np.clip(120 + 60 * v + 25 * np.random.randn(size, size), 0, 254).astype(np.uint8))
    return np.stack(ims), lab.astype(np.int64)


def to_tensor(ims):
    arr = ims // 255
    t = torch.tensor(arr, dtype=torch.float32).unsqueeze(1)
    return (t - 0.5) / 0.25


class StripeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 10, 5)
        self.fc = nn.Linear(10, 4)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).mean((2, 3)))


train_im, train_lab = save_images(1000)
test_im, test_lab = save_images(300)
X, y = to_tensor(train_im), torch.tensor(train_lab)
Xt, yt = to_tensor(test_im), torch.tensor(test_lab)
net = StripeNet()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(10):
    for b in torch.randperm(1000).split(50):
        loss = nn.functional.cross_entropy(net(X[b]), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(f"epoch {epoch} loss {loss.item():.4f} test {(net(Xt).argmax(1) == yt).float().mean():.4f}")
