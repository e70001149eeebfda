"""Where is the spot? CNN that regresses the centre of a bright spot in a noisy frame.

fault: misplaced-dropout
also:
split: test
line: 36
"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(8)
SIDE = 24


def frames(n):
    centre = torch.rand(n, 2) * 0.7 + 0.15
    axis = (torch.arange(SIDE) + 0.5) / SIDE
    dy = axis[None, :, None] - centre[:, 0, None, None]
    dx = axis[None, None, :] - centre[:, 1, None, None]
    spot = torch.exp(-(dy ** 2 + dx ** 2) / (2 * 0.07 ** 2))
    img = spot + 0.2 * torch.randn(n, SIDE, SIDE)
    return ((img - 0.05) / 0.26).unsqueeze(1), centre


class Locator(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(),
        )
        self.regressor = nn.Sequential(
            nn.Linear(16 * 36, 32), nn.ReLU(),
            nn.Linear(32, 2), nn.Dropout(0.5),
        )

    def forward(self, x):
        return self.regressor(self.encoder(x))


train = DataLoader(TensorDataset(*frames(4000)), batch_size=64, shuffle=True)
xv, cv = frames(600)

net = Locator()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.85)
for epoch in range(12):
    net.train()
    total = 0.0
    for img, c in train:
        loss = nn.functional.mse_loss(net(img), c)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    sched.step()
    net.eval()
    with torch.no_grad():
        miss = (net(xv) - cv).norm(dim=1).mean().item() * SIDE
    print(f"epoch {epoch:2d} mse {total / len(train):.5f} mean miss {miss:.3f} px")
print(f"score (px) {miss:.4f}")
