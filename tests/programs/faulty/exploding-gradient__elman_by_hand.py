"""An Elman network of bare matrices that tells three frequencies apart.

fault: exploding-gradient
also:
split: train
line: 31
"""

import math
import torch

torch.manual_seed(0)
torch.set_num_threads(1)
g = torch.Generator().manual_seed(1)
N, T, H = 1200, 20, 64


def make(n):
    y = torch.randint(0, 3, (n,), generator=g)
    t = torch.arange(T).float()
    f = torch.tensor([0.06, 0.12, 0.22])[y].unsqueeze(1)
    ph = torch.rand(n, 1, generator=g) * 2 * math.pi
    x = torch.sin(2 * math.pi * f * t + ph) + 0.2 * torch.randn(n, T, generator=g)
    return x, y


x_train, y_train = make(N)
x_test, y_test = make(400)

W_xh = torch.randn(1, H, requires_grad=True)
W_hh = torch.randn(H, H, requires_grad=True)
b_h = torch.zeros(H, requires_grad=True)
W_hy = (0.1 * torch.randn(H, 3)).requires_grad_()
b_y = torch.zeros(3, requires_grad=True)
params = [W_xh, W_hh, b_h, W_hy, b_y]


def forward(x):
    h = torch.zeros(len(x), H)
    for t in range(T):
        h = torch.tanh(x[:, t:t + 1] @ W_xh + h @ W_hh + b_h)
    return h @ W_hy + b_y


def nll(logits, y):
    return -(logits.log_softmax(1)[torch.arange(len(y)), y]).mean()


opt = torch.optim.Adam(params, lr=1e-3)
for epoch in range(20):
    tot = 0.0
    for idx in torch.randperm(N).split(40):
        opt.zero_grad()
        loss = nll(forward(x_train[idx]), y_train[idx])
        loss.backward()
        opt.step()
        tot += loss.item() * len(idx)
    with torch.no_grad():
        acc = (forward(x_test).argmax(1) == y_test).float().mean().item()
    if epoch % 2 == 1:
        print(f"epoch {epoch + 1}: loss {tot / N:.4f} test acc {acc:.3f}")
