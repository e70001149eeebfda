"""A denoising autoencoder on digits.

fault: constant-init
also: 
split: test
line: 28
"""

# Denoising auto-encoder on the digits images.
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)


class DenoisingAE(nn.Module):
    def __init__(self, d=64, h=48, z=16):
        super().__init__()
        self.enc1, self.enc2 = nn.Linear(d, h), nn.Linear(h, z)
        self.dec1, self.dec2 = nn.Linear(z, h), nn.Linear(h, d)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.05)
            nn.init.zeros_(m.bias)

    def encode(self, x):
        return torch.tanh(self.enc2(torch.tanh(self.enc1(x))))

    def forward(self, x):
        return torch.sigmoid(self.dec2(torch.tanh(self.dec1(self.encode(x)))))


def main():
    torch.manual_seed(2)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    train, test = x[:1500], x[1500:]

    model = DenoisingAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    baseline = F.mse_loss(train.mean(0).expand_as(test), test).item()
    print(f"mean-image baseline {baseline:.4f}")

    for epoch in range(1, 41):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(train)).split(50):
            clean = train[batch]
            noisy = clean + 0.1 * torch.randn_like(clean)
            loss = F.mse_loss(model(noisy), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(batch)
        if epoch % 8 == 0:
            model.eval()
            with torch.no_grad():
                rec = F.mse_loss(model(test), test).item()
            print(f"epoch {epoch:2d} train {total / len(train):.4f} test {rec:.4f}")


if __name__ == "__main__":
    main()
