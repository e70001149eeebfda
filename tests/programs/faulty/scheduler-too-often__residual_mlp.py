"""Residual perceptron on many-class Gaussian clusters with an exponential schedule.

fault: scheduler-too-often
also:
split: train
line: 47
"""
import torch
import torch.nn as nn
from sklearn.datasets import make_classification


class ResBlock(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(self.norm(x))))


def evaluate(net, x, y):
    net.eval()
    with torch.inference_mode():
        return (net(x).argmax(-1) == y).float().mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    X, y = make_classification(2400, 20, n_informative=14, n_redundant=0, n_classes=12, n_clusters_per_class=1,
                               class_sep=1.6, random_state=8)
    X = torch.as_tensor(X, dtype=torch.float32)
    X = (X - X[:2000].mean(0)) / X[:2000].std(0)
    y = torch.as_tensor(y)
    net = nn.Sequential(nn.Linear(20, 48), ResBlock(48), ResBlock(48), nn.LayerNorm(48), nn.Linear(48, 12))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
    for epoch in range(10):
        net.train()
        for idx in torch.randperm(2000).split(40):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(X[idx]), y[idx])
            loss.backward()
            opt.step()
            scheduler.step()
        print(f"epoch {epoch} lr {opt.param_groups[0]['lr']:.2e} loss {loss.item():.4f} val {evaluate(net, X[2000:], y[2000:]):.4f}")
