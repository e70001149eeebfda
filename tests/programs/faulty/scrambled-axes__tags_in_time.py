"""Tags of a sequence by a gated net.

fault: scrambled-axes
also: samples-mixed
split: train
line: 39
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)
OPEN, CLOSE, VOCAB, T = 1, 2, 12, 18


def sample(n):
    x = torch.randint(0, VOCAB, (n, T))
    state = torch.zeros(n, dtype=torch.long)
    tags = []
    for t in range(T):
        state = torch.where(x[:, t] == OPEN, 1, state)
        state = torch.where(x[:, t] == CLOSE, 0, state)
        tags.append(state)
    return x, torch.stack(tags, 1)


class Tagger(nn.Module):
    def __init__(self, dim=16, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.rnn = nn.GRU(dim, hidden)
        self.out = nn.Linear(hidden, 2)

    def forward(self, x):
        B, T = x.shape
        e = self.emb(x).transpose(0, 1)
        h, _ = self.rnn(e)
        h = h.reshape(B, T, -1)
        return self.out(h)


x_train, y_train = sample(1600)
x_test, y_test = sample(400)
print("share of tag 1:", y_test.float().mean().item())

tagger = Tagger()
opt = torch.optim.Adamax(tagger.parameters(), lr=8e-3)
for epoch in range(6):
    tagger.train()
    perm = torch.randperm(len(x_train))
    total = 0.0
    for i in range(0, len(perm), 40):
        b = perm[i:i + 40]
        logp = tagger(x_train[b]).log_softmax(-1)
        loss = -logp.gather(-1, y_train[b].unsqueeze(-1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    tagger.eval()
    with torch.no_grad():
        pred = tagger(x_test).argmax(-1)
    print(f"epoch {epoch}  loss {total / 40:.4f}  token acc {(pred == y_test).float().mean():.4f}")
