"""Texture recognition with batch-norm convolutions, deployed one image at a time.

fault: train-mode-in-eval
also:
split: train
line: 42
"""
import torch
import torch.nn as nn

torch.manual_seed(20)
torch.set_num_threads(1)


def textures(n, s=16):
    y = torch.randint(0, 4, (n,))
    level = torch.tensor([0.0, 0.0, 0.8, 0.8])[y].view(-1, 1, 1)
    period = torch.tensor([2.0, 4.0, 2.0, 4.0])[y].view(-1, 1, 1)
    xs = torch.arange(s).view(1, 1, s).float()
    phase = torch.rand(n, 1, 1) * 6.28
    img = level + 0.6 * torch.sin(2 * torch.pi * xs / period + phase).expand(n, s, s) + 0.3 * torch.randn(n, s, s)
    return img.unsqueeze(1), y


class TextureNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv = nn.Conv2d(width, width, 3, stride=2, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(width, 4)

    def forward(self, x):
        x = torch.relu(self.bn1(self.stem(x)))
        x = torch.relu(self.bn2(self.conv(x)))
        return self.fc(self.drop(x.mean((2, 3))))


def predict(model, img):
    with torch.no_grad():
        return model(img.unsqueeze(0)).argmax(1).item()


X, y = textures(800)
Xt, yt = textures(200)
model = TextureNet()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 8)
for epoch in range(8):
    model.train()
    tot = hits = 0
    for i in torch.randperm(800).split(40):
        out = model(X[i])
        loss = nn.functional.cross_entropy(out, y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item()
        hits += (out.argmax(1) == y[i]).sum().item()
    sched.step()
    print(f"epoch {epoch} loss {tot / 20:.4f} running train acc {hits / 800:.4f}")
acc = sum(predict(model, im) == int(t) for im, t in zip(Xt, yt)) / len(yt)
print(f"deployed accuracy {acc:.4f}")
