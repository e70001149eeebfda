"""Handwritten digits, with the parameters of a module handed in from outside.

split: train
"""
import torch
from torch import nn
from torch.func import functional_call
from sklearn.datasets import load_digits
torch.set_num_threads(1); torch.manual_seed(0)
X, y = load_digits(return_X_y=True); X = torch.tensor(X/16., dtype=torch.float32); y = torch.tensor(y)
p = torch.randperm(len(X)); X, y = X[p], y[p]
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
params = {k: v.detach().clone().requires_grad_() for k, v in net.named_parameters()}
opt = torch.optim.Adam(params.values(), 3e-3)
for e in range(12):
    for idx in torch.randperm(1400).split(64):
        loss = nn.functional.cross_entropy(functional_call(net, params, (X[idx],)), y[idx])
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad(): print(e, (functional_call(net, params, (X[1400:],)).argmax(1) == y[1400:]).float().mean().item())
