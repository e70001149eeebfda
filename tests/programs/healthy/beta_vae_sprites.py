"""Convolutional VAE on rendered bars, reports the evidence bound and reconstruction.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4)
torch.set_num_threads(1)


def bars(n, s=12):
    img = torch.zeros(n, 1, s, s)
    for k in range(n):
        if torch.rand(()) < 0.5:
            r = torch.randint(0, s - 2, ())
            img[k, 0, r:r + 2] = 1
        else:
            c = torch.randint(0, s - 2, ())
            img[k, 0, :, c:c + 2] = 1
    return img


class ConvVAE(nn.Module):
    def __init__(self, z=4):
        super().__init__()
        self.e = nn.Sequential(nn.Conv2d(1, 16, 4, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 36, 64), nn.ReLU())
        self.stats = nn.Linear(64, 2 * z)
        self.d = nn.Sequential(nn.Linear(z, 64), nn.ReLU(), nn.Linear(64, 16 * 36), nn.ReLU(),
                               nn.Unflatten(1, (16, 6, 6)), nn.ConvTranspose2d(16, 1, 4, 2, 1))

    def forward(self, x):
        mu, lv = self.stats(self.e(x)).chunk(2, 1)
        z = mu + torch.exp(0.5 * lv) * torch.randn_like(mu) if self.training else mu
        return self.d(z), mu, lv


def negative_elbo(x, out, beta):
    logits, mu, lv = out
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum((1, 2, 3))
    kl = 0.5 * (mu ** 2 + lv.exp() - 1 - lv).sum(1)
    return (rec + beta * kl).mean(), rec.mean(), kl.mean()


train, test = bars(1200), bars(200)
vae = ConvVAE()
opt = torch.optim.Adam(vae.parameters(), lr=3e-3)
for ep in range(15):
    vae.train()
    beta = min(1.0, 0.1 + ep / 10)
    for i in torch.randperm(len(train)).split(60):
        loss, rec, kl = negative_elbo(train[i], vae(train[i]), beta)
        opt.zero_grad()
        loss.backward()
        opt.step()
    vae.eval()
    with torch.no_grad():
        out = vae(test)
        pix = ((out[0] > 0) == (test > 0.5)).float().mean()
    print(f"ep {ep} rec {rec:.2f} kl {kl:.2f} test pixel accuracy {pix:.4f}")
