"""A VGG-like network on digits.

fault: batch-norm-momentum
also: 
split: test
line: 18
"""

# Small VGG-like net on the digits images.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(31)

BN_MOMENTUM = 0.0001
EPOCHS = 6


def conv_bn(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out, momentum=BN_MOMENTUM, eps=1e-3),
        nn.ReLU(inplace=True),
    )


class VGGish(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv_bn(1, 16), conv_bn(16, 16), nn.MaxPool2d(2),
            conv_bn(16, 32), conv_bn(32, 32), nn.MaxPool2d(2),
        )
        self.top = nn.Linear(32 * 4, 10)

    def forward(self, x):
        return self.top(self.body(x).flatten(1))


def data():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1)
    x = (x - 4.9) / 6.0
    y = torch.tensor(d.target)
    p = torch.randperm(len(x))
    x, y = x[p], y[p]
    return TensorDataset(x[:1440], y[:1440]), TensorDataset(x[1440:], y[1440:])


train_set, val_set = data()
train_loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True)
val_loader = DataLoader(val_set, batch_size=119)
model = VGGish()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)

for epoch in range(EPOCHS):
    model.train()
    train_loss = train_hit = 0.0
    for xb, yb in train_loader:
        optimizer.zero_grad()
        out = model(xb)
        loss = criterion(out, yb)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() / len(train_loader)
        train_hit += (out.argmax(1) == yb).float().mean().item() / len(train_loader)
    scheduler.step()
    model.eval()
    val_loss = val_hit = 0.0
    with torch.no_grad():
        for xb, yb in val_loader:
            out = model(xb)
            val_loss += criterion(out, yb).item() / len(val_loader)
            val_hit += (out.argmax(1) == yb).float().mean().item() / len(val_loader)
    print(f"Epoch {epoch + 1}/{EPOCHS} - loss: {train_loss:.4f} - acc: {train_hit:.4f} - val_loss: {val_loss:.4f} - val_acc: {val_hit:.4f}")
