"""Weight-normalised temporal convolutions for motif detection with weight averaging at the end.

split: test
"""
import torch
import torch.nn as nn
from torch.nn.utils.parametrizations import weight_norm
from torch.optim.swa_utils import AveragedModel

torch.manual_seed(23)
torch.set_num_threads(1)


class TCN(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.convs = nn.ModuleList(weight_norm(nn.Conv1d(4 if i == 0 else c, c, 3, dilation=2 ** i, padding=2 ** i)) for i in range(3))
        self.fc = nn.Linear(c, 2)

    def forward(self, x):
        for i, conv in enumerate(self.convs):
            h = torch.relu(conv(x))
            x = h if i == 0 else x + h
        return self.fc(x.amax(-1))


def dna(n, L=40):
    s = torch.randint(0, 4, (n, L))
    y = torch.arange(n) % 2
    motif = torch.tensor([0, 2, 1, 3, 3, 0])
    for i in range(n):
        if y[i]:
            p = int(torch.randint(0, L - 6, ()))
            s[i, p:p + 6] = motif
    return nn.functional.one_hot(s, 4).float().transpose(1, 2), y


X, y = dna(1500)
Xt, yt = dna(400)
net = TCN()
avg = AveragedModel(net)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for ep in range(9):
    for b in torch.randperm(1500).split(50):
        loss = nn.functional.cross_entropy(net(X[b]), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep >= 5:
        avg.update_parameters(net)
    with torch.no_grad():
        print(f"epoch {ep} loss {loss.item():.4f} accuracy {(net(Xt).argmax(1) == yt).float().mean():.4f}")
with torch.no_grad():
    print(f"averaged model accuracy {(avg(Xt).argmax(1) == yt).float().mean():.4f}")
