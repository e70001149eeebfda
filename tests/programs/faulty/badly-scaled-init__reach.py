"""Where the arm of a robot ends.

fault: badly-scaled-init
also: saturated-activation
split: test
line: 39
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(17)

# forward kinematics of a planar arm with three joints -> position of the tip
def arm(q):
    a = q.cumsum(1)
    l = torch.tensor([1.0, 0.7, 0.4])
    return torch.stack([(l * a.cos()).sum(1), (l * a.sin()).sum(1)], 1)

q = (torch.rand(3000, 3) - 0.5) * torch.pi
xy = arm(q)
q_std = (q - q.mean(0)) / q.std(0)
xy_std = (xy - xy[:2500].mean(0)) / xy[:2500].std(0)
train_x, train_y = q_std[:2500], xy_std[:2500]
test_x, test_y = q_std[2500:], xy_std[2500:]


class ArmNet(nn.Module):
    def __init__(self, width=128, depth=4):
        super().__init__()
        dims = [3] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.tip = nn.Linear(width, 2)
        self.apply(self._reset)

    def _reset(self, m):
        if isinstance(m, nn.Linear):
            nn.init.normal_(m.weight)
            nn.init.zeros_(m.bias)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.tip(x)


model = ArmNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
lr_sched = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.93)

for epoch in range(1, 31):
    model.train()
    epoch_loss, nb = 0.0, 0
    for rows in torch.randperm(2500).view(-1, 50):
        diff = model(train_x[rows]) - train_y[rows]
        loss = (diff ** 2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        nb += 1
    lr_sched.step()
    if epoch % 5 == 0:
        model.eval()
        with torch.no_grad():
            test = ((model(test_x) - test_y) ** 2).sum(1).mean().item()
        print("epoch %2d   train %.5f   test %.5f" % (epoch, epoch_loss / nb, test))

with torch.no_grad():
    err = (model(test_x) - test_y).norm(dim=1)
print("median tip error (std units): %.4f, worst %.4f" % (err.median(), err.max()))
