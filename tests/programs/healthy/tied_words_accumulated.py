"""A language model with tied weights, accumulated gradients and smoothed labels.

split: train
"""

import random
import torch
import torch.nn as nn

random.seed(0)
torch.manual_seed(0)
subj, verb, obj, adv = ["i", "you", "we", "they", "cats", "dogs"], ["see", "like", "chase", "eat"], ["fish", "birds", "bread", "trees"], ["today", "often", "never", "."]
words = ["<s>"] + subj + verb + obj + adv
ix = {w: i for i, w in enumerate(words)}
lines = [["<s>", random.choice(subj), random.choice(verb), random.choice(obj), random.choice(adv)] for _ in range(3000)]
stream = torch.tensor([ix[w] for l in lines for w in l])


class TiedLM(nn.Module):
    def __init__(self, v, d=24):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.dec = nn.Linear(d, v)
        self.dec.weight = self.emb.weight
        nn.init.uniform_(self.emb.weight, -0.1, 0.1)

    def forward(self, x, h=None):
        o, h = self.rnn(self.emb(x), h)
        return self.dec(o), h


lm = TiedLM(len(words))
crit = nn.CrossEntropyLoss(label_smoothing=0.05)
opt = torch.optim.AdamW(lm.parameters(), lr=5e-3)
rows = stream[:14400].view(16, -1)
ACC, LEN = 2, 20
for epoch in range(4):
    h = None
    opt.zero_grad()
    for k, s in enumerate(range(0, rows.shape[1] - LEN - 1, LEN)):
        out, h = lm(rows[:, s:s + LEN], h)
        h = h.detach()
        loss = crit(out.reshape(-1, len(words)), rows[:, s + 1:s + LEN + 1].reshape(-1))
        (loss / ACC).backward()
        if (k + 1) % ACC == 0:
            opt.step()
            opt.zero_grad()
    with torch.no_grad():
        t = stream[14400:]
        ppl = nn.functional.cross_entropy(lm(t[None, :-1])[0][0], t[1:]).exp()
    print("epoch", epoch, "loss", round(loss.item(), 3), "test perplexity", round(ppl.item(), 2))
