"""Compresses spectra with an encoder and a decoder of their own.

fault: width-one-bottleneck
also: too-small-model
split: train
line: 16
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(14)

BANDS = 40
CODE = 1


def spectra(n):
    grid = torch.linspace(0, 1, BANDS)
    kind = torch.randint(0, 5, (n,))
    out = torch.zeros(n, BANDS)
    peaks = torch.tensor([[0.2, 0.5], [0.2, 0.8], [0.5, 0.8], [0.35, 0.65], [0.1, 0.9]])[kind]
    for j in range(2):
        where = peaks[:, j : j + 1] + 0.03 * torch.randn(n, 1)
        height = 0.6 + 0.8 * torch.rand(n, 1)
        out += height * torch.exp(-((grid - where) ** 2) / 0.004)
    return out + 0.03 * torch.randn(n, BANDS)


encoder = nn.Sequential(nn.Linear(BANDS, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, CODE))
decoder = nn.Sequential(nn.Linear(CODE, 32), nn.ReLU(), nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, BANDS))

x = spectra(2000)
x = (x - x[:1600].mean(0)) / x[:1600].std(0)
x_train, x_test = x[:1600], x[1600:]

params = list(encoder.parameters()) + list(decoder.parameters())
opt = torch.optim.Adam(params, lr=2e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=12, gamma=0.3)
mse = nn.MSELoss()

for epoch in range(1, 31):
    encoder.train(), decoder.train()
    total = 0.0
    for i in torch.randperm(1600).split(64):
        rec = decoder(encoder(x_train[i]))
        loss = mse(rec, x_train[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(i)
    sched.step()
    if epoch % 6 == 0:
        encoder.eval(), decoder.eval()
        with torch.no_grad():
            test = mse(decoder(encoder(x_test)), x_test).item()
        print(f"epoch {epoch:2d} train mse {total / 1600:.4f} test mse {test:.4f}")
