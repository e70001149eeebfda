"""Few-shot regression of sine curves with a MAML loop.

fault: graph-cut
also:
split: train
line: 37
"""
import math
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class MetaLearner:
    def __init__(self, hidden=32, inner_lr=0.03, meta_lr=4e-3, steps=2):
        self.theta = nn.ParameterList([
            nn.Parameter(torch.randn(hidden, 1)), nn.Parameter(torch.zeros(hidden)),
            nn.Parameter(torch.randn(hidden, hidden) / math.sqrt(hidden)), nn.Parameter(torch.zeros(hidden)),
            nn.Parameter(torch.randn(1, hidden) / math.sqrt(hidden)), nn.Parameter(torch.zeros(1)),
        ])
        self.inner_lr, self.steps = inner_lr, steps
        self.meta_opt = torch.optim.Adam(self.theta.parameters(), lr=meta_lr)

    @staticmethod
    def net(x, w):
        h = torch.tanh(F.linear(x, w[0], w[1]))
        h = torch.tanh(F.linear(h, w[2], w[3]))
        return F.linear(h, w[4], w[5])

    def adapt(self, x, y):
        fast = list(self.theta)
        for _ in range(self.steps):
            loss = F.mse_loss(self.net(x, fast), y)
            grads = torch.autograd.grad(loss, fast, create_graph=True)
            fast = [(p.data - self.inner_lr * g.data).requires_grad_() for p, g in zip(fast, grads)]
        return fast

    def meta_step(self, tasks):
        total = 0.0
        for xs, ys, xq, yq in tasks:
            total = total + F.mse_loss(self.net(xq, self.adapt(xs, ys)), yq)
        total = total / len(tasks)
        self.meta_opt.zero_grad()
        total.backward()
        self.meta_opt.step()
        return total.item()


def sample_task(k=10):
    amp, ph = 0.5 + 1.5 * torch.rand(1), math.pi * torch.rand(1)
    x = torch.rand(2 * k, 1) * 6 - 3
    y = amp * torch.sin(x + ph)
    return x[:k], y[:k], x[k:], y[k:]


if __name__ == "__main__":
    torch.manual_seed(10)
    learner = MetaLearner()
    for it in range(300):
        l = learner.meta_step([sample_task() for _ in range(4)])
        if it % 60 == 0:
            print(f"meta-iteration {it}: query loss {l:.4f}")
    errs = []
    for _ in range(150):
        xs, ys, xq, yq = sample_task()
        w = learner.adapt(xs, ys)
        errs.append(F.mse_loss(learner.net(xq, w), yq).item())
    print(f"mean post-adaptation MSE {sum(errs) / len(errs):.4f}")
