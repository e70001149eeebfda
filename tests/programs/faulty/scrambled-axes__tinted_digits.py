"""Tinted digits on tinted ground, as pictures of bytes, for a small convolutional network.

fault: scrambled-axes
also: 
split: train
line: 34
"""

import numpy as np
import torch
from torch import nn
from sklearn.datasets import load_digits

torch.manual_seed(17)
np.random.seed(17)
torch.set_num_threads(1)


def render(images):
    """HWC uint8 pictures, as cv2/PIL would deliver them: a tinted digit on a tinted ground."""
    out = np.zeros((len(images), 18, 18, 3), np.uint8)
    for i, im in enumerate(images):
        ink, ground = np.random.randint(130, 255, 3), np.random.randint(0, 110, 3)
        alpha = np.zeros((18, 18, 1))
        r, c = np.random.randint(0, 3, 2)
        alpha[r:r + 16, c:c + 16, 0] = np.kron(im / 16, np.ones((2, 2)))
        pic = alpha * ink + (1 - alpha) * ground + np.random.normal(0, 10, (18, 18, 3))
        out[i] = np.clip(pic, 0, 255)
    return out


def to_tensor(imgs):
    x = torch.from_numpy(imgs).float().div(255)
    x = x.view(-1, 3, x.shape[1], x.shape[2])
    return (x - 0.4) / 0.25


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU())
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        return self.head(self.features(x).amax((2, 3)))


images, digit = load_digits(return_X_y=True)
images = images.reshape(-1, 8, 8)
Xtr, ytr = to_tensor(render(images[:700])), torch.from_numpy(digit[:700])
Xte, yte = to_tensor(render(images[1200:])), torch.from_numpy(digit[1200:])
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=4, gamma=0.3)
for epoch in range(6):
    net.train()
    run = []
    for idx in torch.randperm(len(Xtr)).split(48):
        loss = nn.functional.cross_entropy(net(Xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        run.append(loss.item())
    sched.step()
    net.eval()
    with torch.no_grad():
        acc = (net(Xte).argmax(1) == yte).float().mean().item()
    print(f"epoch {epoch}  loss {np.mean(run):.3f}  test acc {acc:.3f}")
