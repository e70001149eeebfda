"""Feature extractor plus event detector in long noisy traces.

fault: graph-cut
also:
split: test
line: 34
"""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(26)
torch.set_num_threads(1)
template = torch.tensor([0.0, 1.0, -1.0, 1.5, -1.5, 1.0, -1.0, 0.0])


def traces(n, L=60):
    x = torch.randn(n, L)
    y = torch.arange(n) % 3
    for i in range(n):
        if y[i]:
            p = int(torch.randint(0, L - 8, ()))
            x[i, p:p + 8] += 1.7 * (template if y[i] == 1 else template.flip(0).cumsum(0))
    return x.unsqueeze(1), y


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.extractor = nn.Sequential(nn.Conv1d(1, 6, 8), nn.ReLU())
        self.detector = nn.Linear(6, 3)

    def features(self, x):
        with torch.no_grad():
            return self.extractor(x).amax(-1)

    def forward(self, x):
        return self.detector(self.features(x))


X, y = traces(1500)
Xt, yt = traces(300)
net = Detector()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(12):
    for b in torch.randperm(1500).split(50):
        loss = F.cross_entropy(net(X[b]), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 2:
        with torch.no_grad():
            print(f"epoch {epoch + 1} loss {loss.item():.4f} test accuracy {(net(Xt).argmax(1) == yt).float().mean():.4f}")
