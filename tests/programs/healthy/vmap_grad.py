"""Per-sample gradients with torch.func, clipped one by one and averaged into `.grad`, as private training does.

split: train
"""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


def main():
    torch.set_num_threads(1)
    torch.manual_seed(40)
    model = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)

    def sample_loss(parameters, x, y):
        return (functional_call(model, parameters, (x.unsqueeze(0),)).squeeze() - y) ** 2

    per_sample = vmap(grad(sample_loss), in_dims=(None, 0, 0))
    for step in range(20):
        x = torch.randn(16, 5)
        y = x.sum(1)
        parameters = {name: p.detach() for name, p in model.named_parameters()}
        gradients = per_sample(parameters, x, y)
        norms = torch.stack([g.flatten(1).norm(dim=1) for g in gradients.values()]).norm(dim=0)
        factor = (1.0 / (norms + 1e-6)).clamp(max=1.0)
        for name, p in model.named_parameters():
            p.grad = torch.einsum("b,b...->...", factor, gradients[name]) / len(x)
        optimizer.step()
        with torch.no_grad():
            print("step", step, "loss", nn.functional.mse_loss(model(x).squeeze(1), y).item())


if __name__ == "__main__":
    main()
