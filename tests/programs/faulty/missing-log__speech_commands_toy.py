"""Ten toy spoken commands as pairs of tones, classified from their spectrum.

fault: missing-log
also:
split: train
line: 46
"""
import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(5)
torch.set_num_threads(1)
rng = np.random.default_rng(5)
SR, DUR = 400, 0.5
t = np.arange(int(SR * DUR)) / SR
freqs = [(30 + 6 * k, 100 + 9 * ((k * 3) % 10)) for k in range(10)]


def utter(k):
    f1, f2 = freqs[k]
    j = rng.normal(0, 1.0, 2)
    env = np.exp(-3 * np.abs(t - rng.uniform(0.15, 0.35)))
    s = env * (np.sin(2 * np.pi * (f1 + j[0]) * t + rng.uniform(0, 6)) + np.sin(2 * np.pi * (f2 + j[1]) * t + rng.uniform(0, 6)))
    return s + 0.4 * rng.normal(size=len(t))


labels = rng.integers(0, 10, 1500)
wave = np.stack([utter(k) for k in labels])
spec = np.log1p(np.abs(np.fft.rfft(wave, axis=1)))
spec = (spec - spec[:1200].mean(0)) / (spec[:1200].std(0) + 1e-8)
spec = torch.tensor(spec, dtype=torch.float32)
labels = torch.tensor(labels)

params = []
dims = [spec.shape[1], 64, 10]
for a, b in zip(dims[:-1], dims[1:]):
    params.append(((torch.randn(a, b) * (2 / a) ** 0.5).requires_grad_(), torch.zeros(b, requires_grad=True)))


def forward(x):
    for n, (w, b) in enumerate(params):
        x = x @ w + b
        if n < len(params) - 1:
            x = x.relu()
    return F.softmax(x, dim=1)


opt = torch.optim.SGD([p for pair in params for p in pair], lr=0.03)
for epoch in range(12):
    for idx in torch.randperm(1200).split(50):
        loss = F.nll_loss(forward(spec[idx]), labels[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (forward(spec[1200:]).argmax(1) == labels[1200:]).float().mean()
    print(f"epoch {epoch + 1} loss {loss.item():.4f} acc {acc:.4f}")
