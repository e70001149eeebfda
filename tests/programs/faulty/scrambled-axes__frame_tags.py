"""Tags of frames by convolutions and a recurrent layer.

fault: scrambled-axes
also: 
split: test
line: 50
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(40)

T, FEAT, CLASSES = 40, 6, 4


def synth_gestures(n):
    """Sensor streams made of segments; each segment belongs to one of four gestures."""
    t = torch.arange(T).float()
    tags = torch.zeros(n, T, dtype=torch.long)
    for b in range(n):
        start = 0
        while start < T:
            width = int(torch.randint(5, 12, (1,)))
            tags[b, start:start + width] = int(torch.randint(0, CLASSES, (1,)))
            start += width
    freq = torch.tensor([0.0, 0.6, 1.2, 2.0])[tags]
    phase = torch.rand(n, 1, FEAT) * 6.28
    x = torch.sin(freq.unsqueeze(-1) * t[None, :, None] + phase)
    return x + 0.25 * torch.randn(n, T, FEAT), tags


class CRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(FEAT, 32, 5, padding=2)
        self.bn1 = nn.BatchNorm1d(32)
        self.conv2 = nn.Conv1d(32, 32, 3, padding=1)
        self.bn2 = nn.BatchNorm1d(32)
        self.rnn = nn.GRU(32, 32, batch_first=True, bidirectional=True)
        self.out = nn.Linear(64, CLASSES)

    def forward(self, x):
        h = x.transpose(1, 2)
        h = F.relu(self.bn1(self.conv1(h)))
        h = F.relu(self.bn2(self.conv2(h)))
        b, c, t = h.shape
        h = h.view(b, t, c)
        h, _ = self.rnn(h)
        return self.out(h)


x_train, y_train = synth_gestures(800)
x_test, y_test = synth_gestures(200)
mu, sd = x_train.mean((0, 1)), x_train.std((0, 1))
x_train, x_test = (x_train - mu) / sd, (x_test - mu) / sd

model = CRNN()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=7)
for epoch in range(7):
    model.train()
    tot = 0.0
    for ix in torch.randperm(len(x_train)).split(32):
        logits = model(x_train[ix])
        loss = F.cross_entropy(logits.reshape(-1, CLASSES), y_train[ix].reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        tot += loss.item() * len(ix)
    sched.step()
    model.eval()
    with torch.no_grad():
        acc = (model(x_test).argmax(-1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {tot / len(x_train):.4f} frame accuracy {acc:.4f}")
