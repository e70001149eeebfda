"""A classifier of wines whose optimizer stands one line too deep.

fault: optimizer-made-anew
also: learning-rate-too-high
split: train
line: 27
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    features, kinds = load_wine(return_X_y=True)
    features = StandardScaler().fit_transform(features)
    data = TensorDataset(torch.tensor(features, dtype=torch.float32), torch.tensor(kinds))
    train, test = torch.utils.data.random_split(data, [130, 48])
    model = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
    for epoch in range(25):
        for inputs, labels in DataLoader(train, batch_size=16, shuffle=True):
            optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
            loss = F.cross_entropy(model(inputs), labels)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            right = sum((model(a).argmax(1) == b).sum().item() for a, b in DataLoader(test, batch_size=48))
        model.train()
        print(f"epoch {epoch}: loss {loss.item():.3f}, {right / 48:.2f} right")


if __name__ == "__main__":
    main()
