"""CTC: a bidirectional GRU reads a noisy signal in which each symbol lasts a varying time.

split: train
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(44)
SYMBOLS = 4


def make_batch(size, length=3):
    labels = torch.randint(1, SYMBOLS + 1, (size, length))
    frames = []
    for row in labels:
        parts = []
        for symbol in row:
            parts.append(torch.zeros(int(torch.randint(1, 3, ())), dtype=torch.long))
            parts.append(symbol.repeat(int(torch.randint(2, 5, ()))))
        track = torch.cat(parts)
        frames.append(nn.functional.pad(track, (0, 20 - len(track))))
    signal = nn.functional.one_hot(torch.stack(frames), SYMBOLS + 1).float() + 0.2 * torch.randn(size, 20, SYMBOLS + 1)
    return signal, labels


class Recogniser(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(SYMBOLS + 1, 32, batch_first=True, bidirectional=True)
        self.out = nn.Linear(64, SYMBOLS + 1)

    def forward(self, x):
        hidden, _ = self.rnn(x)
        return self.out(hidden).log_softmax(-1)


model = Recogniser()
criterion = nn.CTCLoss(blank=0)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(150):
    x, labels = make_batch(32)
    log_probs = model(x).transpose(0, 1)
    loss = criterion(log_probs, labels, torch.full((32,), 20), torch.full((32,), 3))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 30 == 0:
        print(step, loss.item())

x, labels = make_batch(200)
with torch.no_grad():
    best = model(x).argmax(-1)
right = 0
for path, label in zip(best, labels, strict=False):
    kept = torch.unique_consecutive(path)
    right += kept[kept > 0].tolist() == label.tolist()
print("whole sequences right:", right / 200)
