"""The classic small convolutional network, on the digits of scikit-learn.

fault: scrambled-axes
also:
split: train
line: 26
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3)
        self.conv2 = nn.Conv2d(16, 32, 3)
        self.fc1 = nn.Linear(32 * 2 * 2, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = x.reshape(-1, x.size(0)).t()
        x = F.relu(self.fc1(x))
        return F.log_softmax(self.fc2(x), dim=1)


def main():
    torch.manual_seed(66)
    d = load_digits()
    images = torch.tensor(d.images, dtype=torch.float32)[:, None]
    images = (images - images.mean()) / images.std()
    target = torch.tensor(d.target)
    shuffle = torch.randperm(len(target))
    tr, te = shuffle[:1440], shuffle[1440:]
    model = Net()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    for epoch in range(1, 9):
        model.train()
        for batch_idx, rows in enumerate(tr[torch.randperm(1440)].split(40)):
            optimizer.zero_grad()
            output = model(images[rows])
            loss = F.nll_loss(output, target[rows])
            loss.backward()
            optimizer.step()
            if batch_idx % 18 == 0:
                print("Train Epoch: {} [{}/{}]\tLoss: {:.6f}".format(epoch, batch_idx * 40, 1440, loss.item()))
        model.eval()
        with torch.no_grad():
            output = torch.cat([model(images[rows]) for rows in te.split(60)])
        print("Test accuracy", (output.argmax(1) == target[te]).float().mean().item())


if __name__ == "__main__":
    main()
