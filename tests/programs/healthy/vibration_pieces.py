"""Three kinds of machine vibration by an LSTM, with gradients of sixteen small batches put together.

split: train
"""

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(3)
rng = np.random.default_rng(3)

# three kinds of machine vibration: sine, square, saw; classify from 40 samples
N, T = 1600, 40
labels = rng.integers(0, 3, N)
phase = rng.uniform(0, 2 * np.pi, (N, 1))
freq = rng.uniform(0.15, 0.45, (N, 1))
t = np.arange(T)[None]
arg = freq * t + phase
waves = np.stack([np.sin(arg), np.sign(np.sin(arg)), 2 * ((arg / (2 * np.pi)) % 1) - 1])
data = waves[labels, np.arange(N)] + 0.1 * rng.standard_normal((N, T))
x = torch.tensor(data, dtype=torch.float32).unsqueeze(-1)
y = torch.tensor(labels)
x_train, y_train, x_test, y_test = x[:1300], y[:1300], x[1300:], y[1300:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 32, batch_first=True)
        self.fc = nn.Linear(32, 3)

    def forward(self, inp):
        out, _ = self.lstm(inp)
        return self.fc(out.mean(1))


net = Net()
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)
micro, accum = 10, 16

for epoch in range(14):
    perm = torch.randperm(len(x_train))
    losses = []
    opt.zero_grad()
    for k in range(len(perm) // micro):
        b = perm[k * micro : (k + 1) * micro]
        loss = loss_fn(net(x_train[b]), y_train[b])
        losses.append(loss.item())
        (loss / accum).backward()
        if (k + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
    with torch.no_grad():
        acc = (net(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch:2d} train loss {np.mean(losses):.3f} test acc {acc:.3f}")
