"""A character model of a stream of words, trained by plain SGD with momentum.

fault: clip-too-small
also:
split: test
line: 45
"""

import torch
import torch.nn as nn

torch.manual_seed(2)
words = ["stone", "river", "cloud", "maple", "tiger", "ember", "frost", "harbor", "meadow", "violet", "candle", "falcon"]
gen = torch.Generator().manual_seed(4)
text = " ".join(words[i] for i in torch.randint(0, len(words), (3500,), generator=gen).tolist())
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(data))
train, valid = data[:cut], data[cut:]


class CharGRU(nn.Module):
    def __init__(self, n, emb=24, hid=64):
        super().__init__()
        self.emb = nn.Embedding(n, emb)
        self.rnn = nn.GRU(emb, hid, batch_first=True)
        self.head = nn.Linear(hid, n)

    def forward(self, x):
        out, _ = self.rnn(self.emb(x))
        return self.head(out)


def batch(source, size=32, length=40):
    start = torch.randint(0, len(source) - length - 1, (size,))
    x = torch.stack([source[s:s + length] for s in start])
    y = torch.stack([source[s + 1:s + length + 1] for s in start])
    return x, y


model = CharGRU(len(chars))
criterion = nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
max_norm = 0.001
for it in range(1, 351):
    x, y = batch(train)
    logits = model(x)
    loss = criterion(logits.reshape(-1, len(chars)), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    opt.step()
    if it % 50 == 0:
        with torch.no_grad():
            xv, yv = batch(valid, 64)
            lv = criterion(model(xv).reshape(-1, len(chars)), yv.reshape(-1))
        print(f"iter {it:4d} train {loss.item():.3f} valid {lv.item():.3f}")
