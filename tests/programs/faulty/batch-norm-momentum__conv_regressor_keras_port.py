"""Convolutional regressor of blob position, translated from Keras.

fault: batch-norm-momentum
also:
split: test
line: 27
"""
import torch
import torch.nn as nn

torch.manual_seed(29)
torch.set_num_threads(1)


def blobs(n, s=14):
    yy, xx = torch.meshgrid(torch.arange(s).float(), torch.arange(s).float(), indexing="ij")
    c = torch.rand(n, 2) * (s - 4) + 2
    img = torch.exp(-((xx - c[:, 0, None, None]) ** 2 + (yy - c[:, 1, None, None]) ** 2) / 4)
    img = 3 * img + 0.2 * torch.randn(n, s, s)
    return img.unsqueeze(1), (c - s / 2) / (s / 4)


class ConvBN(nn.Sequential):
    def __init__(self, i, o, stride=1):
        super().__init__(
            nn.Conv2d(i, o, 3, stride=stride, padding=1, bias=False),
            nn.BatchNorm2d(o, eps=1e-3, momentum=1e-4),
            nn.ReLU(),
        )


net = nn.Sequential(ConvBN(1, 8), ConvBN(8, 16, 2), ConvBN(16, 16, 2), nn.Flatten(), nn.Linear(256, 2))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
x, y = blobs(1000)
xv, yv = blobs(200)
for epoch in range(8):
    net.train()
    losses = []
    for i in torch.randperm(1000).split(50):
        loss = nn.functional.mse_loss(net(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        r2 = 1 - (net(xv) - yv).pow(2).sum() / (yv - yv.mean(0)).pow(2).sum()
    print(f"Epoch {epoch + 1}/8 - loss: {sum(losses) / len(losses):.4f} - val_r2: {r2:.4f}")
