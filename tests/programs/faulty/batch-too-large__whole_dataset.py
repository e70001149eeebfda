"""Digits with a multilayer perceptron, Adam and a DataLoader over fifteen epochs.

fault: batch-too-large
also: stopped-early, learning-rate-too-low
split: train
line: 22
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.set_num_threads(1)
    torch.manual_seed(250)
    digits = load_digits()
    x, y = torch.tensor(digits.data / 8 - 1, dtype=torch.float32), torch.tensor(digits.target)
    train = TensorDataset(x[:1400], y[:1400])
    loader = DataLoader(train, batch_size=len(train), shuffle=True)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(15):
        model.train()
        for images, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
