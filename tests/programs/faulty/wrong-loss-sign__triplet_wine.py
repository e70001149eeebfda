"""Metric learning on the wine chemistry table, judged by nearest neighbours.

fault: wrong-loss-sign
also:
split: train
line: 49
"""
import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

torch.set_num_threads(1)
np.random.seed(0)
torch.manual_seed(0)
X, y = load_wine(return_X_y=True)
rng = np.random.default_rng(0)
X = np.hstack([X, rng.normal(size=(len(X), 20))])
Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.4, stratify=y, random_state=1)
sc = StandardScaler().fit(Xa)
Xa = torch.tensor(sc.transform(Xa)).float()
Xb = torch.tensor(sc.transform(Xb)).float()

embed = torch.nn.Sequential(
    torch.nn.Linear(33, 40), torch.nn.LeakyReLU(0.1), torch.nn.Dropout(0.2), torch.nn.Linear(40, 4)
)
opt = torch.optim.AdamW(embed.parameters(), lr=2e-3, weight_decay=1e-2)
by_class = [np.where(ya == c)[0] for c in range(3)]


def draw(n):
    trip = []
    for _ in range(n):
        c = np.random.randint(3)
        o = (c + np.random.randint(1, 3)) % 3
        a, p = np.random.choice(by_class[c], 2, replace=False)
        trip.append((a, p, np.random.choice(by_class[o])))
    return torch.tensor(trip).T


for step in range(400):
    embed.train()
    a, p, n = (F.normalize(embed(Xa[i]), dim=1) for i in draw(32))
    d_ap = (a - p).pow(2).sum(1)
    d_an = (a - n).pow(2).sum(1)
    loss = F.relu(d_an - d_ap + 0.5).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print("step", step, "triplet loss", loss.item())

embed.eval()
with torch.no_grad():
    Ea, Eb = F.normalize(embed(Xa), dim=1).numpy(), F.normalize(embed(Xb), dim=1).numpy()
print("1-NN accuracy", round(KNeighborsClassifier(1).fit(Ea, ya).score(Eb, yb), 4))
