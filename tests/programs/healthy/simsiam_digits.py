"""SimSiam pretraining on unlabelled digits, then a linear probe on the frozen encoder with 200 labels.

split: train
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


def augment(x):
    n = len(x)
    x = F.pad(x, (1, 1, 1, 1))
    out = torch.empty(n, 1, 8, 8)
    dy, dx = torch.randint(0, 3, (n,)), torch.randint(0, 3, (n,))
    for a in range(3):
        for b in range(3):
            m = (dy == a) & (dx == b)
            out[m] = x[m][:, :, a:a + 8, b:b + 8]
    out = out * torch.empty(n, 1, 1, 1).uniform_(0.7, 1.3)
    out = out * (torch.rand(n, 1, 8, 8) > 0.1)
    return out + 0.1 * torch.randn_like(out)


class SimSiam(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.Flatten(),
            nn.Linear(64 * 16, 128), nn.BatchNorm1d(128), nn.ReLU())
        self.projector = nn.Sequential(nn.Linear(128, 128), nn.BatchNorm1d(128), nn.ReLU(),
                                       nn.Linear(128, dim), nn.BatchNorm1d(dim, affine=False))
        self.predictor = nn.Sequential(nn.Linear(dim, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, a, b):
        za, zb = self.projector(self.encoder(a)), self.projector(self.encoder(b))
        pa, pb = self.predictor(za), self.predictor(zb)
        # stop-gradient on the projections
        return -(F.cosine_similarity(pa, zb.detach()).mean() + F.cosine_similarity(pb, za.detach()).mean()) / 2


def probe(encoder, X, y, X_test, y_test):
    encoder.eval()
    with torch.no_grad():
        H, H_test = encoder(X), encoder(X_test)
    mu, sd = H.mean(0), H.std(0) + 1e-3
    H, H_test = (H - mu) / sd, (H_test - mu) / sd
    head = nn.Linear(H.shape[1], 10)
    opt = torch.optim.Adam(head.parameters(), lr=0.01, weight_decay=1e-3)
    for _ in range(150):
        loss = F.cross_entropy(head(H), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return (head(H_test).argmax(1) == y_test).float().mean().item()


def main():
    torch.manual_seed(0)
    d = load_digits()
    perm = torch.randperm(len(d.target))
    X = (torch.tensor(d.images, dtype=torch.float32)[:, None] / 16)[perm]
    y = torch.tensor(d.target)[perm]
    X_un, X_test, y_test = X[:1400], X[1400:], y[1400:]
    X_lab, y_lab = X[:200], y[:200]
    model = SimSiam()
    print(f"probe on the untrained encoder {probe(model.encoder, X_lab, y_lab, X_test, y_test):.4f}")
    epochs = 25
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(X_un))[:1280].split(128):
            loss = model(augment(X_un[idx]), augment(X_un[idx]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if (epoch + 1) % 5 == 0:
            with torch.no_grad():
                spread = F.normalize(model.projector(model.encoder(X_un[:256])), dim=1).std(0).mean()
            print(f"epoch {epoch + 1} loss {total / 10:+.4f} feature spread {spread:.3f} (ideal {64 ** -0.5:.3f})")
    print(f"probe on the frozen encoder {probe(model.encoder, X_lab, y_lab, X_test, y_test):.4f}")


if __name__ == "__main__":
    main()
