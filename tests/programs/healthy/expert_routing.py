"""Sparse mixture of experts: top-2 routing with a load-balancing loss, piecewise regression.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Expert(nn.Sequential):
    def __init__(self, d, h=16):
        super().__init__(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, 1))


class SparseMoE(nn.Module):
    def __init__(self, d, n_experts=4):
        super().__init__()
        self.router = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, n_experts))
        nn.init.zeros_(self.router[-1].weight)          # at first the noise alone decides
        nn.init.zeros_(self.router[-1].bias)
        self.experts = nn.ModuleList(Expert(d) for _ in range(n_experts))

    def forward(self, x):
        logits = self.router(x)
        if self.training:
            logits = logits + 0.5 * torch.randn_like(logits)
        probs = logits.softmax(-1)
        top, which = logits.topk(2, dim=-1)
        gate = top.softmax(-1)
        y = torch.zeros(len(x))
        for e, expert in enumerate(self.experts):
            rows, slot = (which == e).nonzero(as_tuple=True)
            if len(rows):                                 # an expert without tokens does no work
                y = y.index_add(0, rows, gate[rows, slot] * expert(x[rows]).squeeze(1))
        load = F.one_hot(which, len(self.experts)).float().mean((0, 1))
        balance = len(self.experts) * (load * probs.mean(0)).sum()
        return y, balance, load


def regimes(n):
    x = torch.rand(n, 2) * 2 - 1
    a, b = x.unbind(1)
    y = torch.where(a > 0, torch.where(b > 0, torch.sin(4 * b) + a, 2 * a * b - 1),
                    torch.where(b > 0, -a - 2 * b, 1.5 + torch.cos(3 * a)))
    return x, y


def main():
    torch.manual_seed(0)
    X, Y = regimes(4000)
    Xt, Yt = regimes(1000)
    Y = Y + 0.05 * torch.randn_like(Y)
    model = SparseMoE(2)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    epochs = 30
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, eta_min=1e-4)
    for epoch in range(epochs):
        model.train()
        tot = 0.0
        for idx in torch.randperm(len(X)).split(128):
            pred, balance, _ = model(X[idx])
            mse = F.mse_loss(pred, Y[idx])
            loss = mse + 0.1 * balance
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            tot += mse.item() * len(idx)
        sched.step()
        if (epoch + 1) % 6 == 0:
            model.eval()
            with torch.no_grad():
                pred, _, load = model(Xt)
            r2 = 1 - (pred - Yt).pow(2).sum() / (Yt - Yt.mean()).pow(2).sum()
            print(f"epoch {epoch + 1} train mse {tot / len(X):.4f} test R2 {r2:.4f} load {[round(v, 2) for v in load.tolist()]}")


if __name__ == "__main__":
    main()
