"""A pretrained encoder with a new head.

fault: weights-not-loaded
also: 
split: train
line: 73
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(55)
D, CODES = 40, 16
mix = torch.randn(6, D)
centres = 1.3 * torch.randn(CODES, 6)


def draw(n):
    k = torch.randint(0, CODES, (n,))
    z = centres[k] + 0.25 * torch.randn(n, 6)
    return torch.tanh(z @ mix * 0.5) + 0.5 * torch.randn(n, D), k


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(D, 128)
        self.l2 = nn.Linear(128, 64)
        self.l3 = nn.Linear(64, 12)

    def forward(self, x):
        return F.relu(self.l3(F.relu(self.l2(F.relu(self.l1(x))))))


class Pretrainer(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.to_code = nn.Linear(12, CODES)

    def forward(self, x):
        return self.to_code(self.encoder(x))


class Classifier(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.encoder = Encoder()
        self.fc = nn.Linear(12, classes)

    def forward(self, x):
        return self.fc(self.encoder(x))


big = Pretrainer()
opt = torch.optim.Adam(big.parameters(), lr=2e-3)
for step in range(700):
    x, k = draw(96)
    loss = F.cross_entropy(big(x), k)
    opt.zero_grad(); loss.backward(); opt.step()
print(f"pretraining: loss {loss.item():.3f}")
ckpt = {k: v.clone() for k, v in big.state_dict().items()}

group = torch.arange(CODES)[torch.randperm(CODES)] % 4
x, k = draw(500)
y = group[k]
xt, kt = draw(1000)
yt = group[kt]

model = Classifier()
weights = {k.replace("encoder.", ""): v for k, v in ckpt.items() if k.startswith("encoder.")}
model.load_state_dict(weights, strict=False)
for p in model.encoder.parameters():
    p.requires_grad = False
opt = torch.optim.Adam(model.fc.parameters(), lr=1e-2)
for epoch in range(40):
    tot = 0.0
    for idx in torch.randperm(len(x)).split(50):
        loss = F.cross_entropy(model(x[idx]), y[idx])
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item() / 10
    if epoch % 8 == 7:
        with torch.no_grad():
            acc = (model(xt).argmax(1) == yt).float().mean().item()
        print(f"epoch {epoch + 1}: loss {tot:.3f} test acc {acc:.3f}")
