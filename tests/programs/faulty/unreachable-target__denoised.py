"""An autoencoder that takes noise away.

fault: unreachable-target
also: output-activation
split: test
line: 21
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.preprocessing import StandardScaler


class Denoiser(nn.Module):
    """Denoising autoencoder for multichannel spectra."""

    def __init__(self, d, code=12):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d, 80), nn.ReLU(), nn.Linear(80, code))
        self.decoder = nn.Sequential(nn.Linear(code, 80), nn.ReLU(), nn.Linear(80, d), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


def spectra(n, d=60):
    grid = torch.linspace(0, 1, d)
    pos = torch.tensor([0.15, 0.35, 0.5, 0.7, 0.85])
    peaks = torch.exp(-((grid[None] - pos[:, None]) / 0.06) ** 2)
    conc = torch.rand(n, 5) * 40
    return conc @ peaks + 5 * torch.rand(n, 1) * grid[None]


def fit(model, loader, test, epochs, noise=0.3):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    mse = nn.MSELoss()
    for epoch in range(1, epochs + 1):
        model.train()
        run = 0.0
        for (x,) in loader:
            out = model(x + noise * torch.randn_like(x))
            loss = mse(out, x)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            run += loss.item()
        model.eval()
        with torch.no_grad():
            noisy = test + noise * torch.randn_like(test)
            err = mse(model(noisy), test).item()
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d} train {run / len(loader):.4f} test {err:.4f} explained {1 - err / test.var().item():.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(19)
    data = spectra(2000).numpy()
    sc = StandardScaler().fit(data[:1600])
    z = torch.tensor(sc.transform(data), dtype=torch.float32)
    loader = DataLoader(TensorDataset(z[:1600]), batch_size=64, shuffle=True)
    fit(Denoiser(z.shape[1]), loader, z[1600:], epochs=25)
