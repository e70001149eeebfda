"""LBFGS: `step` gets a closure and runs forward and backward several times itself.

split: train
"""

import torch

torch.set_num_threads(1)
torch.manual_seed(3)

x = torch.linspace(-2, 2, 64).unsqueeze(1)
y = torch.exp(-x) * torch.sin(3 * x)
net = torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=4, history_size=5, line_search_fn="strong_wolfe")

for step in range(20):

    def closure():
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        return loss

    loss = optimizer.step(closure)
    print(f"step {step} loss {loss.item()!r}")
