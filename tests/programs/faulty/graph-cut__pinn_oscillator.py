"""Physics-informed network for a damped oscillator, compared with the closed form.

fault: graph-cut
also:
split: train
line: 45
"""
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(0)
d, w0 = 0.5, 3.0
w = math.sqrt(w0 ** 2 - d ** 2)


def exact(t):
    phi = math.atan(-d / w)
    A = 1 / (2 * math.cos(phi))
    return torch.exp(-d * t) * 2 * A * torch.cos(phi + w * t)


net = torch.nn.Sequential(
    torch.nn.Linear(1, 32), torch.nn.Tanh(),
    torch.nn.Linear(32, 32), torch.nn.Tanh(),
    torch.nn.Linear(32, 1),
)
optimiser = torch.optim.Adam(net.parameters(), lr=5e-3)
t_col = torch.linspace(0, 2, 40).view(-1, 1).requires_grad_(True)
t0 = torch.zeros(1, 1, requires_grad=True)
t_test = torch.linspace(0, 2, 200).view(-1, 1)


def diff(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


for i in range(1300):
    optimiser.zero_grad()
    u0 = net(t0)
    l_pos = (u0 - 1).pow(2).squeeze()
    l_vel = diff(u0, t0).pow(2).squeeze()
    u = net(t_col)
    du = diff(u, t_col)
    ddu = torch.autograd.grad(du, t_col, torch.ones_like(du), retain_graph=True)[0]
    res = ddu + 2 * d * du + w0 ** 2 * u
    loss = l_pos + 0.1 * l_vel + 1e-2 * res.pow(2).mean()
    loss.backward()
    optimiser.step()
    if i % 300 == 0:
        print(i, f"{loss.item():.5f}")

with torch.no_grad():
    ref = exact(t_test)
    err = (net(t_test) - ref).norm() / ref.norm()
print(f"relative L2 error: {err.item():.4f}")
