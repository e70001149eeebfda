"""Binary-activation network with a custom autograd straight-through estimator.

split: test
"""
import torch
from torch import nn
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.manual_seed(27)
torch.set_num_threads(1)


class BinarySign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1).float()


class BinNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.l1, self.n1 = nn.Linear(d, 64), nn.LayerNorm(64)
        self.l2 = nn.Linear(64, 1)

    def forward(self, x):
        return self.l2(BinarySign.apply(self.n1(self.l1(x)))).squeeze(1)


X, y = load_breast_cancer(return_X_y=True)
a, b, ya, yb = train_test_split(X, y, test_size=0.3, random_state=5, stratify=y)
sc = StandardScaler().fit(a)
a, b = (torch.tensor(sc.transform(v), dtype=torch.float32) for v in (a, b))
ya, yb = torch.tensor(ya).float(), torch.tensor(yb).float()
net = BinNet(a.size(1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for ep in range(30):
    for i in torch.randperm(len(a)).split(32):
        loss = nn.functional.binary_cross_entropy_with_logits(net(a[i]), ya[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 10 == 9:
        with torch.no_grad():
            print(f"epoch {ep + 1} loss {loss.item():.4f} accuracy {((net(b) > 0) == (yb > 0.5)).float().mean():.4f}")
