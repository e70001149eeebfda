"""Distances between digits, with a gradient scaler.

fault: loss-scale-collapse
also: non-finite-value
split: test
line: 30
"""

import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier

torch.set_num_threads(1)
torch.manual_seed(90)


class Embedder(nn.Module):
    def __init__(self, d_in, d_out=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 128), nn.LayerNorm(128), nn.ReLU(), nn.Dropout(0.2),
                                 nn.Linear(128, d_out))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=-1)


def pairwise_distance(z):
    diff = z.unsqueeze(0) - z.unsqueeze(1)
    return diff.pow(2).sum(-1).sqrt()


def batch_hard_triplet(z, labels, margin=0.4):
    dist = pairwise_distance(z)
    same = labels[:, None] == labels[None, :]
    hardest_pos = (dist * same).max(dim=1).values
    mean_neg = (dist * ~same).sum(1) / (~same).sum(1)
    closest_neg = dist.masked_fill(same, 10.0).min(dim=1).values
    return torch.relu(hardest_pos - 0.5 * (closest_neg + mean_neg) + margin).mean()


def balanced_batches(labels, per_class, n_batches):
    pools = [torch.where(labels == c)[0] for c in labels.unique()]
    for _ in range(n_batches):
        yield torch.cat([p[torch.randperm(len(p))[:per_class]] for p in pools])


def embed(model, x):
    model.eval()
    with torch.no_grad():
        return model(x).float().numpy()


x, y = make_classification(n_samples=3000, n_features=80, n_informative=8, n_redundant=0, n_classes=5,
                           n_clusters_per_class=1, class_sep=2.2, random_state=90)
x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
x_train, y_train, x_test, y_test = x[:2200], y[:2200], x[2200:], y[2200:]
mu, sigma = x_train.mean(0), x_train.std(0)
x_train, x_test = (x_train - mu) / sigma, (x_test - mu) / sigma

model = Embedder(80)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 14)

for epoch in range(1, 7):
    model.train()
    running, count = 0.0, 0
    for idx in balanced_batches(y_train, 16, 40):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = model(x_train[idx])
        loss = batch_hard_triplet(z.float(), y_train[idx])
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        running += loss.item()
        count += 1
    knn = KNeighborsClassifier(7).fit(embed(model, x_train), y_train.numpy())
    acc = knn.score(embed(model, x_test), y_test.numpy())
    print(f"epoch {epoch} triplet loss {running / count:.4f} kNN accuracy {acc:.4f}")
