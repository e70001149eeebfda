"""A GRU that names the class of a noisy wave.

fault: constant-init
also:
split: train
line: 31
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def waves(count, length=24):
    kind = torch.randint(0, 4, (count,))
    time = torch.linspace(0, 6.28, length) + 6.28 * torch.rand(count, 1)
    signal = torch.sin((kind + 1).unsqueeze(1) * time)
    return (signal + 0.1 * torch.randn(count, length)).unsqueeze(-1), kind


class WaveNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.gru = nn.GRU(1, width, batch_first=True)
        self.out = nn.Linear(width, 4)
        self.reset()

    def reset(self):
        for name, parameter in self.named_parameters():
            if "weight" in name:
                nn.init.constant_(parameter, 0.05)
            else:
                nn.init.zeros_(parameter)

    def forward(self, signal):
        return self.out(self.gru(signal)[0][:, -1])


def fit(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for signal, kind in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(signal), kind)
            loss.backward()
            optimizer.step()
        signal, kind = waves(400)
        with torch.no_grad():
            accuracy = (model(signal).argmax(1) == kind).float().mean().item()
        print(f"epoch {epoch}: loss {loss.item():.4f}, accuracy {accuracy:.3f}")


torch.set_num_threads(1)
torch.manual_seed(12)
fit(WaveNet(), DataLoader(TensorDataset(*waves(1600)), batch_size=40, shuffle=True), epochs=8)
