"""Few-shot sine regression with MAML (second order, torch.func).

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class Net(nn.Module):
    def __init__(self, h=40):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(1, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))

    def forward(self, x):
        return self.layers(x)


def sample_task(n):
    amp = torch.empty(1).uniform_(0.5, 3.0)
    phase = torch.empty(1).uniform_(0, 3.1416)
    x = torch.empty(n, 1).uniform_(-4, 4)
    return x, amp * torch.sin(x + phase)


def adapt(model, params, x, y, inner_lr, steps, create_graph):
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=create_graph)
        params = {k: p - inner_lr * g for (k, p), g in zip(params.items(), grads)}
    return params


def meta_test(model, inner_lr, n_tasks=100, steps=3):
    gen_state = torch.get_rng_state()
    torch.manual_seed(999)
    before = after = 0.0
    for _ in range(n_tasks):
        x, y = sample_task(40)
        start = {k: v.detach().clone().requires_grad_() for k, v in model.named_parameters()}
        fast = adapt(model, start, x[:10], y[:10], inner_lr, steps, create_graph=False)
        with torch.no_grad():
            before += F.mse_loss(model(x[10:]), y[10:]).item() / n_tasks
            after += F.mse_loss(functional_call(model, fast, (x[10:],)), y[10:]).item() / n_tasks
    torch.set_rng_state(gen_state)
    return before, after


def main(meta_steps=900, tasks_per_step=4, shots=10, inner_lr=0.05):
    torch.manual_seed(0)
    model = Net()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, meta_steps, eta_min=1e-4)
    for step in range(1, meta_steps + 1):
        opt.zero_grad()
        total = 0.0
        for _ in range(tasks_per_step):
            x, y = sample_task(2 * shots)
            fast = adapt(model, dict(model.named_parameters()), x[:shots], y[:shots], inner_lr, 1, create_graph=True)
            q_loss = F.mse_loss(functional_call(model, fast, (x[shots:],)), y[shots:])
            (q_loss / tasks_per_step).backward()
            total += q_loss.item() / tasks_per_step
        opt.step()
        sched.step()
        if step % 150 == 0:
            b, a = meta_test(model, inner_lr)
            print(f"meta step {step}: query loss {total:.3f} | unseen tasks: mse {b:.3f} -> {a:.3f} after 3 inner steps")


if __name__ == "__main__":
    main()
