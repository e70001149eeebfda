"""Two moons with the labels of a support vector machine.

fault: unreachable-target
also:
split: train
line: 26
"""

import torch
from torch import nn
from sklearn.datasets import make_moons

torch.manual_seed(4)
pts, lab = make_moons(800, noise=0.15, random_state=4)
pts = torch.tensor(pts).float()
pts = (pts - pts.mean(0)) / pts.std(0)
side = torch.tensor(lab).float() * 2 - 1        # -1 / +1, as our SVM code wants it

mlp = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))
bce = nn.BCEWithLogitsLoss()
adam = torch.optim.Adam(mlp.parameters(), lr=5e-3)
held = slice(600, 800)
for it in range(1, 801):
    i = torch.randint(0, 600, (40,))
    score = mlp(pts[i]).flatten()
    loss = bce(score, side[i])
    adam.zero_grad()
    loss.backward()
    adam.step()
    if it % 200 == 0:
        with torch.no_grad():
            s = mlp(pts[held]).flatten()
            margin = (s * side[held]).clamp(max=5).mean()
            acc = (s.sign() == side[held]).float().mean()
        print(f"{it}: loss {loss.item():.3f}, margin {margin:.2f}, accuracy {acc:.3f}")
