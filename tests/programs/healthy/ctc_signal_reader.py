"""Read a digit string out of an unsegmented 1-D signal with CTC.

split: train
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

N_SYMBOLS, BLANK, LENGTH = 5, 0, 72
TEMPLATES = np.random.RandomState(0).normal(0, 1, (N_SYMBOLS, 10))


def synthesise(n, rng):
    signals = rng.normal(0, 0.25, (n, LENGTH)).astype(np.float32)
    targets, lengths = [], []
    for i in range(n):
        k = rng.integers(2, 6)
        gaps = rng.multinomial(LENGTH - 10 * k, np.ones(k + 1) / (k + 1))
        pos = 0
        for j in range(k):
            pos += gaps[j]
            s = rng.integers(N_SYMBOLS)
            signals[i, pos:pos + 10] += TEMPLATES[s]
            targets.append(s + 1)
            pos += 10
        lengths.append(k)
    return torch.from_numpy(signals)[:, None], torch.tensor(targets), torch.tensor(lengths)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 32, 11, padding=5), nn.ReLU(), nn.Conv1d(32, 32, 5, stride=2, padding=2), nn.ReLU())
        self.rnn = nn.GRU(32, 32, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(64, N_SYMBOLS + 1)

    def forward(self, x):
        h, _ = self.rnn(self.conv(x).transpose(1, 2))
        return self.fc(h).log_softmax(-1)


def greedy(log_probs):
    out = []
    for row in log_probs.argmax(-1):
        row = torch.unique_consecutive(row)
        out.append(row[row != BLANK].tolist())
    return out


def split_targets(flat, lengths):
    return [t.tolist() for t in flat.split(lengths.tolist())]


torch.manual_seed(0)
rng = np.random.default_rng(0)
X_test, T_test, L_test = synthesise(300, rng)
model = Reader()
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(1, 401):
    x, t, l = synthesise(32, rng)            # fresh data every step
    logp = model(x)
    input_lengths = torch.full((len(x),), logp.shape[1], dtype=torch.long)
    loss = F.ctc_loss(logp.transpose(0, 1), t, input_lengths, l, blank=BLANK)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    opt.step()
    if step % 100 == 0:
        model.eval()
        with torch.no_grad():
            hyp = greedy(model(X_test))
        exact = np.mean([h == r for h, r in zip(hyp, split_targets(T_test, L_test))])
        print(f"step {step} ctc loss {loss.item():.3f} exact strings {exact:.3f}")
        model.train()
