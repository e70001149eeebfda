"""A convolutional autoencoder of blobs.

split: train
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class Encoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1),
            nn.ReLU(),
        )
        self.fc = nn.Linear(32 * 2 * 2, code)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


class Decoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.fc = nn.Linear(code, 32 * 2 * 2)
        self.deconv = nn.Sequential(
            nn.ReLU(),
            nn.ConvTranspose2d(32, 16, 2, stride=2),
            nn.ReLU(),
            nn.ConvTranspose2d(16, 1, 2, stride=2),
        )

    def forward(self, z):
        return self.deconv(self.fc(z).view(-1, 32, 2, 2))


class AutoEncoder(nn.Module):
    def __init__(self, code=16):
        super().__init__()
        self.encoder = Encoder(code)
        self.decoder = Decoder(code)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def prepare():
    images = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16
    train, test = train_test_split(images, test_size=0.2, random_state=3)
    mean, std = train.mean(), train.std()
    return (train - mean) / std, (test - mean) / std


def explained(model, x):
    model.eval()
    with torch.no_grad():
        err = (model(x) - x).pow(2).mean()
        base = (x - x.mean(0, keepdim=True)).pow(2).mean()
    return 1 - (err / base).item()


def main():
    torch.manual_seed(3)
    train, test = prepare()
    model = AutoEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    criterion = nn.MSELoss()

    for epoch in range(1, EPOCHS + 1):
        model.train()
        epoch_loss = 0.0
        batches = torch.randperm(len(train)).split(BATCH_SIZE)
        for ids in batches:
            images = train[ids]
            recon = model(images)
            loss = criterion(recon, images)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        if epoch % 5 == 0:
            print(f"Epoch {epoch}\tloss {epoch_loss / len(batches):.4f}\texplained {explained(model, test):.4f}")

    print(f"explained variance on test: {explained(model, test):.4f}")


LEARNING_RATE = 0.004
EPOCHS = 20
BATCH_SIZE = 64

if __name__ == "__main__":
    main()
