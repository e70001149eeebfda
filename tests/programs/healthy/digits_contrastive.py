"""SimCLR-style representation learning on digits, then a linear probe on frozen features.

split: train
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

torch.manual_seed(0)
digits = load_digits()
x = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
x_tr, x_te, y_tr, y_te = train_test_split(x, digits.target, test_size=0.25, stratify=digits.target, random_state=0)


def augment(img):
    n = len(img)
    theta = (torch.rand(n) - 0.5) * 0.5
    scale = 0.85 + 0.3 * torch.rand(n)
    shift = (torch.rand(n, 2) - 0.5) * 0.4
    mat = torch.stack([
        torch.stack([theta.cos() * scale, -theta.sin() * scale, shift[:, 0]], 1),
        torch.stack([theta.sin() * scale, theta.cos() * scale, shift[:, 1]], 1)], 1)
    out = F.grid_sample(img, F.affine_grid(mat, img.shape, align_corners=False), align_corners=False)
    return out + 0.05 * torch.randn_like(out)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2), nn.Flatten(), nn.Linear(512, 64), nn.ReLU())
        self.project = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32))

    def forward(self, img):
        return F.normalize(self.project(self.features(img)), dim=1)


def nt_xent(a, b, temperature=0.2):
    z = torch.cat([a, b])
    sim = z @ z.T / temperature
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


model = Encoder()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(25):
    losses = []
    for idx in torch.randperm(len(x_tr)).split(128):
        loss = nt_xent(model(augment(x_tr[idx])), model(augment(x_tr[idx])))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1} loss {sum(losses) / len(losses):.4f}")

model.eval()
with torch.no_grad():
    f_tr, f_te = model.features(x_tr).numpy(), model.features(x_te).numpy()
probe = LogisticRegression(max_iter=2000).fit(f_tr, y_tr)
print(f"linear probe accuracy {probe.score(f_te, y_te):.4f}")
