"""Pre-trains an image encoder, stores a checkpoint, and fine-tunes on a handful of labels.

fault: weights-not-loaded
also:
split: train
line: 65
"""
import io
import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(16)
torch.set_num_threads(1)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, padding=1)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 4, 48)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return F.relu(self.fc(x.flatten(1)))


class Wrapper(nn.Module):
    def __init__(self, module, n_out):
        super().__init__()
        self.module = module
        self.out = nn.Linear(48, n_out)

    def forward(self, x):
        return self.out(self.module(x))


def loop(net, params, X, y, epochs, bs):
    opt = torch.optim.Adam(params)
    for _ in range(epochs):
        net.train()
        for i in torch.randperm(len(X)).split(bs):
            opt.zero_grad()
            F.cross_entropy(net(X[i]), y[i]).backward()
            opt.step()


X, y = load_digits(return_X_y=True)
X = torch.tensor(X).float().view(-1, 1, 8, 8) / 16
y = torch.tensor(y)
perm = torch.randperm(len(X))
pre, rest = perm[:1100], perm[1100:]

pretrain = Wrapper(Encoder(), 10)
loop(pretrain, [{"params": pretrain.parameters(), "lr": 3e-3}], X[pre], y[pre], 10, 64)
buf = io.BytesIO()
torch.save({k: v for k, v in pretrain.state_dict().items() if not k.startswith("out")}, buf)
buf.seek(0)

state = torch.load(buf)
encoder = Encoder()
encoder.load_state_dict(state, strict=False)
few = torch.cat([rest[y[rest] == c][:3] for c in range(10)])
held = torch.tensor(sorted(set(rest.tolist()) - set(few.tolist())))
model = Wrapper(encoder, 10)
loop(model, [{"params": encoder.parameters(), "lr": 1e-4}, {"params": model.out.parameters(), "lr": 1e-2}],
     X[few], y[few], 40, 10)
model.eval()
with torch.no_grad():
    acc = (model(X[held]).argmax(1) == y[held]).float().mean()
print(f"accuracy with three labels per digit: {acc:.4f}")
