"""Maximises a reconstruction score of digits with a small autoencoder.

fault: wrong-loss-sign
also:
split: train
line: 32
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)

x = torch.tensor(load_digits().data / 16, dtype=torch.float32)
x = x[torch.randperm(len(x))]
train, test = x[:1500], x[1500:]
model = nn.Sequential(nn.Linear(64, 16), nn.Tanh(), nn.Linear(16, 64), nn.Sigmoid())
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)


def log_likelihood(rebuilt, pixels):
    rebuilt = rebuilt.clamp(1e-5, 1 - 1e-5)
    return (pixels * rebuilt.log() + (1 - pixels) * (1 - rebuilt).log()).mean()


for epoch in range(20):
    for batch in train[torch.randperm(len(train))].split(50):
        objective = log_likelihood(model(batch), batch)
        optimizer.zero_grad()
        objective.backward()
        optimizer.step()
    if epoch % 4 == 3:
        with torch.no_grad():
            rebuilt = model(test)
        print(f"epoch {epoch + 1}: {objective.item():.4f}, squared error {((rebuilt - test) ** 2).mean():.4f}")
print(f"squared error of the mean image {((train.mean(0) - test) ** 2).mean():.4f}")
