"""A mixture of experts, averaged at the end.

split: test
"""

import numpy as np
import torch
from sklearn.datasets import make_friedman1
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(14)


class MoE(nn.Module):
    """dense mixture of experts with a load balancing term"""

    def __init__(self, d, experts=4, hid=24):
        super().__init__()
        self.gate = nn.Linear(d, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(d, hid), nn.ReLU(), nn.Linear(hid, hid), nn.ReLU(), nn.Linear(hid, 1)) for _ in range(experts))

    def forward(self, x):
        p = self.gate(x).softmax(-1)
        y = torch.cat([e(x) for e in self.experts], -1)
        balance = len(self.experts) * p.mean(0).pow(2).sum() - 1
        return (p * y).sum(-1), balance


def main():
    X, y = make_friedman1(3000, n_features=10, noise=0.5, random_state=14)
    X = (X * 2 - 1) * np.sqrt(3)
    ym, ys = y[:2400].mean(), y[:2400].std()
    X = torch.tensor(X, dtype=torch.float32)
    y = torch.tensor((y - ym) / ys, dtype=torch.float32)
    Xtr, ytr, Xte, yte = X[:2400], y[:2400], X[2400:], y[2400:]
    model = MoE(10)
    opt = torch.optim.RAdam(model.parameters(), lr=4e-3, weight_decay=1e-4)
    swa = torch.optim.swa_utils.AveragedModel(model)
    swa_start = 18
    for epoch in range(24):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(Xtr)).split(60):
            out, bal = model(Xtr[idx])
            mse = F.mse_loss(out, ytr[idx])
            loss = mse + 0.01 * bal
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += mse.item() * len(idx)
        if epoch >= swa_start:
            swa.update_parameters(model)
        if epoch % 4 == 3:
            model.eval()
            with torch.no_grad():
                te = F.mse_loss(model(Xte)[0], yte).item()
            print(f"epoch {epoch + 1:2d} train mse {total / len(Xtr):.4f} test mse {te:.4f}")
    swa.eval()
    with torch.no_grad():
        pred, bal = swa(Xte)
    print(f"averaged model: test mse {F.mse_loss(pred, yte):.4f} R2 {1 - F.mse_loss(pred, yte) / yte.var():.4f} balance {bal:.3f}")


if __name__ == "__main__":
    main()
