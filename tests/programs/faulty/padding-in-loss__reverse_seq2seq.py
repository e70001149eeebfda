"""GRU encoder-decoder that reverses variable-length token strings.

fault: padding-in-loss
also:
split: train
line: 62
"""
import random
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence

torch.set_num_threads(1)
random.seed(5)
torch.manual_seed(5)
PAD, BOS, EOS, VOCAB = 0, 1, 2, 11


def sample_pair():
    n = random.choice([2, 3, 3, 4, 4]) if random.random() < 0.93 else 30
    s = [random.randrange(3, VOCAB) for _ in range(n)]
    return s, s[:3][::-1]


def collate(pairs):
    src = pad_sequence([torch.tensor(s) for s, _ in pairs], batch_first=True, padding_value=PAD)
    tin = torch.full((len(pairs), 30), PAD)
    tout = torch.full((len(pairs), 30), PAD)
    for j, (_, t) in enumerate(pairs):
        tin[j, :len(t) + 1] = torch.tensor([BOS] + t)
        tout[j, :len(t) + 1] = torch.tensor(t + [EOS])
    lens = torch.tensor([len(s) for s, _ in pairs])
    return src, lens, tin, tout


class Encoder(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 24, padding_idx=PAD)
        self.gru = nn.GRU(24, h, batch_first=True)

    def forward(self, x, lens):
        packed = pack_padded_sequence(self.emb(x), lens, batch_first=True, enforce_sorted=False)
        return self.gru(packed)[1]


class Decoder(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 24, padding_idx=PAD)
        self.gru = nn.GRU(24, h, batch_first=True)
        self.proj = nn.Linear(h, VOCAB)

    def forward(self, y, h):
        o, h = self.gru(self.emb(y), h)
        return self.proj(o)


enc, dec = Encoder(64), Decoder(64)
params = list(enc.parameters()) + list(dec.parameters())
opt = torch.optim.SGD(params, lr=1.0)
criterion = nn.CrossEntropyLoss()
data = [collate([sample_pair() for _ in range(32)]) for _ in range(90)]
held = collate([sample_pair() for _ in range(300)])


def token_acc():
    src, lens, tin, tout = held
    with torch.no_grad():
        pred = dec(tin, enc(src, lens)).argmax(-1)
    m = tout != PAD
    return (pred == tout)[m].float().mean().item()


for epoch in range(3):
    random.shuffle(data)
    for src, lens, tin, tout in data:
        opt.zero_grad()
        logits = dec(tin, enc(src, lens))
        loss = criterion(logits.reshape(-1, VOCAB), tout.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
    print("epoch %d loss %.4f held-out token accuracy %.4f" % (epoch, loss.item(), token_acc()))
