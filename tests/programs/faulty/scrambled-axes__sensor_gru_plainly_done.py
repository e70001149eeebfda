"""Sensor signals of several channels, read by a recurrent network.

fault: scrambled-axes
also: samples-mixed
split: test
line: 35
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

CHANNELS, STEPS = 5, 24


def simulate(n, generator):
    """Returns windows of shape (n, channels, steps), as the logger stores them."""
    label = torch.randint(CHANNELS, (n,), generator=generator)
    x = 0.3 * torch.randn(n, CHANNELS, STEPS, generator=generator)
    t = torch.arange(STEPS).float()
    onset = torch.randint(4, 10, (n,), generator=generator).float()
    lead = onset[:, None] - 3.0 * F.one_hot(label, CHANNELS).float()
    pulse = torch.exp(-0.5 * ((t[None, None, :] - lead[:, :, None] - 4) / 1.5) ** 2)
    gain = 1.0 + torch.rand(n, CHANNELS, 1, generator=generator)
    return x + gain * pulse, label


class SensorGRU(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.rnn = nn.GRU(CHANNELS, hidden)
        self.classifier = nn.Linear(hidden, CHANNELS)

    def forward(self, windows):
        seq = windows.reshape(STEPS, -1, CHANNELS)
        _, last = self.rnn(seq)
        return self.classifier(last.squeeze(0))


def batches(x, y, size, generator):
    for ids in torch.randperm(len(x), generator=generator).split(size):
        yield x[ids], y[ids]


def fit(model, x, y, epochs, generator):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for xb, yb in batches(x, y, 64, generator):
            log_probs = F.log_softmax(model(xb), dim=1)
            loss = F.nll_loss(log_probs, yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
        print(f"epoch {epoch + 1}/{epochs}: nll {total / len(x):.4f}")


@torch.no_grad()
def score(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(21)
    g = torch.Generator().manual_seed(21)
    x_train, y_train = simulate(2000, g)
    x_test, y_test = simulate(500, g)
    mean, std = x_train.mean(), x_train.std()
    x_train, x_test = (x_train - mean) / std, (x_test - mean) / std

    model = SensorGRU()
    fit(model, x_train, y_train, epochs=12, generator=g)
    print(f"train accuracy {score(model, x_train, y_train):.4f} test accuracy {score(model, x_test, y_test):.4f}")
