"""A character model by truncated backpropagation.

split: test
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(10)

# a long text made of a small grammar, read by 16 parallel streams with carried state
WORDS = ["the cat ", "the dog ", "a bird ", "sees ", "hears ", "likes ", "fish. ", "rain. ", "music. "]


def make_text(n_sentences):
    out = []
    for _ in range(n_sentences):
        i, j, k = torch.randint(0, 3, (3,)).tolist()
        out += [WORDS[i], WORDS[3 + j], WORDS[6 + k]]
    return "".join(out)


text = make_text(1800)
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(data))
train_data, val_data = data[:cut], data[cut:]
STREAMS, BPTT = 16, 25


def to_streams(d, n):
    length = len(d) // n
    return d[: length * n].view(n, length)


class CharLM(nn.Module):
    def __init__(self, vocab, hidden=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, 24)
        self.rnn = nn.LSTM(24, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, state=None):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


model = CharLM(len(chars))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()


def run(streams, train):
    model.train(train)
    state, total, n = None, 0.0, 0
    for t in range(0, streams.size(1) - 1, BPTT):
        x = streams[:, t:t + BPTT]
        y = streams[:, t + 1:t + 1 + BPTT]
        x = x[:, : y.size(1)]
        if state is not None:
            state = tuple(s.detach() for s in state)
        with torch.set_grad_enabled(train):
            logits, state = model(x, state)
            loss = criterion(logits.flatten(0, 1), y.flatten())
        if train:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        total += loss.item() * y.numel()
        n += y.numel()
    return total / n


train_streams, val_streams = to_streams(train_data, STREAMS), to_streams(val_data, 4)
for epoch in range(1, 5):
    tr = run(train_streams, True)
    va = run(val_streams, False)
    print(f"epoch {epoch} train nll/char {tr:.4f} val nll/char {va:.4f} (uniform {torch.tensor(float(len(chars))).log():.3f})")
