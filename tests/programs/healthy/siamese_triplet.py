"""Triplets for a siamese network.

split: test
"""

# Triplet embedding of digits; score by 1-NN on held-out images.
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(41)

data = load_digits()
X = torch.tensor(data.data, dtype=torch.float32)
X = (X - X.mean()) / X.std()
Y = torch.tensor(data.target)
perm = torch.randperm(len(X))
tr, te = perm[:1300], perm[1300:]
by_class = [tr[Y[tr] == c] for c in range(10)]


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def triplets(n):
    anchors = tr[torch.randint(len(tr), (n,))]
    pos, neg = torch.empty_like(anchors), torch.empty_like(anchors)
    for k, a in enumerate(anchors.tolist()):
        c = Y[a].item()
        other = (c + 1 + torch.randint(9, (1,)).item()) % 10
        pos[k] = by_class[c][torch.randint(len(by_class[c]), (1,))]
        neg[k] = by_class[other][torch.randint(len(by_class[other]), (1,))]
    return X[anchors], X[pos], X[neg]


def knn_accuracy(model):
    model.eval()
    with torch.no_grad():
        a, b = model(X[tr]), model(X[te])
        nearest = (b @ a.t()).argmax(1)
    return (Y[tr][nearest] == Y[te]).float().mean().item()


model = Embedder()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
loss_fn = nn.TripletMarginLoss(margin=0.4)
print("untrained 1-NN", round(knn_accuracy(model), 3))
for it in range(1, 201):
    model.train()
    a, p, n = triplets(64)
    loss = loss_fn(model(a), model(p), model(n))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(f"iter {it} loss {loss.item():.4f} 1-NN {knn_accuracy(model):.3f}")
