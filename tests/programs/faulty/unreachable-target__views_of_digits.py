"""Embeddings of digits: two noisy views of an image attract each other, all others of the batch repel.

fault: unreachable-target
also: 
split: train
line: 44
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

torch.set_num_threads(1)
torch.manual_seed(37)
TEMPERATURE = 0.1

digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32) / 16
targets = torch.tensor(digits.target)
perm = torch.randperm(len(images))
train_idx, test_idx = perm[:1300], perm[1300:]


def view(x):
    shift = torch.randint(-1, 2, (2,)).tolist()
    x = torch.roll(x, shift, dims=(1, 2))
    x = x * (torch.rand_like(x) > 0.1)
    return x + 0.05 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(),
                                 nn.Linear(128, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def info_nce(z1, z2):
    sim = z1 @ z2.T * TEMPERATURE
    labels = torch.arange(len(z1))
    return 0.5 * (F.cross_entropy(sim, labels) + F.cross_entropy(sim.T, labels))


@torch.no_grad()
def retrieval(encoder):
    encoder.eval()
    gallery, queries = encoder(images[train_idx]), encoder(images[test_idx])
    knn = KNeighborsClassifier(5).fit(gallery, targets[train_idx])
    noisy = encoder(view(images[test_idx]))
    rank1 = ((noisy @ queries.T).argmax(1) == torch.arange(len(queries))).float().mean().item()
    return knn.score(queries, targets[test_idx]), rank1


encoder = Encoder()
opt = torch.optim.Adam(encoder.parameters(), lr=1e-3)
for epoch in range(30):
    encoder.train()
    losses = []
    for idx in train_idx[torch.randperm(len(train_idx))].split(128):
        x = images[idx]
        loss = info_nce(encoder(view(x)), encoder(view(x)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 6 == 0:
        print(f"epoch {epoch:2d} loss {sum(losses) / len(losses):.4f}")

knn, rank1 = retrieval(encoder)
print(f"kNN accuracy {knn:.3f}, same-image rank-1 {rank1:.3f}")
