"""A hypernetwork emits the weights of a small regression net for each member of a family of functions.

split: train
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

H = 16
SHAPES = [(1, H), (H,), (H, H), (H,), (H, 1), (1,)]
SIZES = [torch.Size(s).numel() for s in SHAPES]


class Hyper(nn.Module):
    def __init__(self, d_cond=2, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_cond, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(hidden, s) for s in SIZES)
        for head, shape in zip(self.heads, SHAPES):
            # small dependence on the condition at first; the bias holds an ordinary initialisation
            head.weight.data.mul_(0.1)
            if len(shape) == 2:
                head.bias.data.copy_(torch.randn(shape).flatten() / shape[0] ** 0.5)
            else:
                head.bias.data.zero_()

    def forward(self, cond):
        h = self.trunk(cond)
        return [head(h).view(len(cond), *shape) for head, shape in zip(self.heads, SHAPES)]


def target_net(params, x):
    """x: (tasks, points, 1); there are no parameters of its own here."""
    w1, b1, w2, b2, w3, b3 = params
    x = torch.tanh(torch.bmm(x, w1) + b1[:, None])
    x = torch.tanh(torch.bmm(x, w2) + b2[:, None])
    return torch.bmm(x, w3) + b3[:, None]


def family(n_tasks, n_points):
    cond = torch.rand(n_tasks, 2) * 2 - 1                   # (amplitude code, frequency code)
    x = torch.rand(n_tasks, n_points, 1) * 2 - 1
    amp, freq = 1 + 0.5 * cond[:, :1, None], 3 + cond[:, 1:, None]
    return cond, x, amp * torch.sin(freq * x) + 0.3 * amp * x ** 2


def main(steps=1500):
    torch.manual_seed(0)
    hyper = Hyper()
    opt = torch.optim.Adam(hyper.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    cond_t, x_t, y_t = family(200, 50)
    for step in range(1, steps + 1):
        cond, x, y = family(16, 20)
        loss = F.mse_loss(target_net(hyper(cond), x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(hyper.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 300 == 0:
            with torch.no_grad():
                mse = F.mse_loss(target_net(hyper(cond_t), x_t), y_t)
            print(f"step {step} loss {loss.item():.5f} unseen functions R2 {1 - mse / y_t.var():.4f}")


if __name__ == "__main__":
    main()
