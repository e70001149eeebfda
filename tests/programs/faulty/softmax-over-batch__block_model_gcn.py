"""A graph convolution on communities of a random graph; some nodes have labels, and the loss is written by hand.

fault: softmax-over-batch
also:
split: train
line: 39
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
n, k, feats = 400, 4, 16
labels = torch.arange(n) % k
same = labels[:, None] == labels[None, :]
prob = torch.where(same, 0.06, 0.015)
A = (torch.rand(n, n) < prob).float().triu(1)
A = A + A.t() + torch.eye(n)
deg = A.sum(1)
A_hat = A / deg.sqrt()[:, None] / deg.sqrt()[None, :]
centers = torch.randn(k, feats)
X = centers[labels] * 0.6 + torch.randn(n, feats)
train_mask = torch.rand(n) < 0.3


class GCN(nn.Module):
    def __init__(self, d_in, d_hid, d_out):
        super().__init__()
        self.w1 = nn.Linear(d_in, d_hid)
        self.w2 = nn.Linear(d_hid, d_out)

    def forward(self, A, X):
        h = F.relu(A @ self.w1(X))
        return A @ self.w2(h)


def nll(scores, target):
    logp = F.log_softmax(scores, dim=0)
    return -logp[torch.arange(len(target)), target].mean()


model = GCN(feats, 32, k)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(200):
    scores = model(A_hat, X)
    loss = nll(scores[train_mask], labels[train_mask])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 20 == 0 or epoch == 199:
        pred = scores.argmax(1)
        acc = (pred == labels)[~train_mask].float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} test acc {acc:.3f}")
