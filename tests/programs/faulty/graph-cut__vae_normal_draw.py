"""A variational autoencoder of small digits.

fault: graph-cut
also: 
split: train
line: 34
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader

torch.set_num_threads(1)
torch.manual_seed(11)


class Autoencoder(nn.Module):
    def __init__(self, latent=6):
        super().__init__()
        self.fc1 = nn.Linear(64, 96)
        self.fc_mean = nn.Linear(96, latent)
        self.fc_log_var = nn.Linear(96, latent)
        self.fc3 = nn.Linear(latent, 96)
        self.fc4 = nn.Linear(96, 64)

    def encode(self, x):
        h = torch.tanh(self.fc1(x))
        return self.fc_mean(h), self.fc_log_var(h)

    def reparameterize(self, mean, log_var):
        std = torch.exp(0.5 * log_var)
        return torch.normal(mean, std)

    def decode(self, z):
        return torch.sigmoid(self.fc4(torch.tanh(self.fc3(z))))

    def forward(self, x):
        mean, log_var = self.encode(x)
        return self.decode(self.reparameterize(mean, log_var)), mean, log_var


def loss_function(recon, x, mean, log_var):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())
    return bce + kld


images = torch.tensor(load_digits().data, dtype=torch.float32) / 16
train, test = images[:1500], images[1500:]
loader = DataLoader(train, batch_size=64, shuffle=True)
model = Autoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(30):
    model.train()
    total = 0.0
    for x in loader:
        optimizer.zero_grad()
        recon, mean, log_var = model(x)
        loss = loss_function(recon, x, mean, log_var)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1} loss {total / len(train):.3f}")
model.eval()
with torch.no_grad():
    recon, mean, log_var = model(test)
    mse = F.mse_loss(model.decode(mean), test)
print(f"test loss {loss_function(recon, test, mean, log_var) / len(test):.3f}, error of the means {mse:.4f}")
