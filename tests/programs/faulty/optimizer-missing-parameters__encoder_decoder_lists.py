"""A denoising autoencoder of digits whose encoder and decoder are separate modules.

fault: optimizer-missing-parameters
also: frozen-parameter
split: train
line: 41
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader

torch.set_num_threads(1)
torch.manual_seed(1)

pixels = torch.tensor(load_digits().data, dtype=torch.float32) / 16
pixels = pixels[torch.randperm(len(pixels))]
train_set, test_set = pixels[:1500], pixels[1500:]


class Encoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, code))

    def forward(self, x):
        return self.layers(x)


class Decoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(code, 48), nn.ReLU(), nn.Linear(48, 64))

    def forward(self, z):
        return torch.sigmoid(self.layers(z))


encoder, decoder = Encoder(12), Decoder(12)
optimizer = torch.optim.Adam(encoder.parameters(), lr=2e-3)
loader = DataLoader(train_set, batch_size=50, shuffle=True)
for epoch in range(25):
    for clean in loader:
        noisy = clean + 0.1 * torch.randn_like(clean)
        rebuilt = decoder(encoder(noisy))
        loss = ((rebuilt - clean) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            error = ((decoder(encoder(test_set)) - test_set) ** 2).mean()
        print(f"epoch {epoch + 1} test error {error:.4f} (pixel variance {test_set.var(0).mean():.4f})")
