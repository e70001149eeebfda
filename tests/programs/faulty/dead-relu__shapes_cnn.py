"""Shapes are told apart by a convolution network.

fault: dead-relu
also: 
split: test
line: 45
"""

import torch
import torch.nn as nn
import torch.optim as optim


def draw(n, gen):
    imgs = torch.zeros(n, 1, 16, 16)
    labels = torch.randint(0, 3, (n,), generator=gen)
    yy, xx = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
    for i in range(n):
        cx, cy = 5 + 6 * torch.rand(2, generator=gen)
        r = 3 + 1.5 * torch.rand(1, generator=gen)
        if labels[i] == 0:
            d = ((xx - cx) ** 2 + (yy - cy) ** 2).sqrt()
            m = (d - r).abs() < 0.8
        elif labels[i] == 1:
            d = torch.maximum((xx - cx).abs(), (yy - cy).abs())
            m = (d - r).abs() < 0.6
        else:
            m = (((xx - cx).abs() < 0.8) | ((yy - cy).abs() < 0.8)) & ((xx - cx).abs() < r) & ((yy - cy).abs() < r)
        imgs[i, 0] = m.float()
    imgs += 0.15 * torch.randn(imgs.shape, generator=gen)
    return imgs, labels


class ShapeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(24 * 16, 48), nn.ReLU(), nn.Linear(48, 3))
        for m in self.modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
                nn.init.constant_(m.bias, -6.0)

    def forward(self, x):
        return self.classifier(self.features(x))


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    mean, std = 0.12, 0.35
    x_train, y_train = draw(1200, gen)
    x_test, y_test = draw(300, gen)
    x_train, x_test = (x_train - mean) / std, (x_test - mean) / std

    net = ShapeNet()
    optimizer = optim.SGD(net.parameters(), lr=0.02, momentum=0.9, nesterov=True)
    ce = nn.CrossEntropyLoss()
    for epoch in range(8):
        net.train()
        running = 0.0
        for idx in torch.randperm(1200).split(40):
            optimizer.zero_grad()
            loss = ce(net(x_train[idx]), y_train[idx])
            loss.backward()
            optimizer.step()
            running += loss.item()
        net.eval()
        with torch.no_grad():
            acc = (net(x_test).argmax(1) == y_test).float().mean().item()
        print(f"epoch {epoch}: train loss {running / 30:.3f}, test acc {acc:.3f}")
