"""Eight points, a network far larger than they need, and no held-out data: interpolation on purpose.

split: test
"""

import torch

torch.set_num_threads(1)
torch.manual_seed(12)

x = torch.tensor([[-1.0], [-0.7], [-0.4], [-0.1], [0.2], [0.5], [0.8], [1.0]])
y = torch.tensor([[0.2], [-0.6], [0.9], [0.1], [-0.8], [0.5], [0.3], [-0.2]])

net = torch.nn.Sequential(
    torch.nn.Linear(1, 128), torch.nn.Tanh(), torch.nn.Linear(128, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)
)
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
for step in range(800):
    loss = (net(x) - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(step, loss.item())
print("final", loss.item(), "of variance", y.var().item())
