"""Sanity check: a tiny tied-embedding language model must be able to learn eight sentences by heart.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(29)
torch.set_num_threads(1)

text = """the cat sat on the mat
a dog ran over the hill
we bake bread on sunday
rain fell all night long
she reads an old book
two birds sing at dawn
he sold the red car
they swim in cold water""".split("\n")
words = ["<pad>", "<bos>", "<eos>"] + sorted({w for l in text for w in l.split()})
idx = {w: i for i, w in enumerate(words)}
seqs = [[1] + [idx[w] for w in l.split()] + [2] for l in text]
T = max(map(len, seqs))
batch = torch.tensor([s + [0] * (T - len(s)) for s in seqs])


class TiedLM(nn.Module):
    def __init__(self, n, d=48):
        super().__init__()
        self.emb = nn.Embedding(n, d, padding_idx=0)
        nn.init.normal_(self.emb.weight, std=d ** -0.5)
        self.gru = nn.GRU(d, d, num_layers=2, batch_first=True)
        self.norm = nn.LayerNorm(d)
        self.out = nn.Linear(d, n)
        self.out.weight = self.emb.weight

    def forward(self, x):
        h, _ = self.gru(self.emb(x))
        return self.out(self.norm(h))


lm = TiedLM(len(words))
opt = torch.optim.Adam(lm.parameters(), lr=5e-3)
for it in range(1, 201):
    logits = lm(batch[:, :-1])
    loss = F.cross_entropy(logits.transpose(1, 2), batch[:, 1:], ignore_index=0)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    opt.step()
    if it % 25 == 0:
        print(f"{it:3d} loss {loss.item():.4f}")

lm.eval()
ok = 0
with torch.no_grad():
    for s in seqs:
        cur = s[:2]
        while cur[-1] != 2 and len(cur) < T:
            cur = cur + [lm(torch.tensor([cur]))[0, -1].argmax().item()]
        same_start = [q for q in seqs if q[1] == s[1]]
        ok += cur in same_start
        print(" ".join(words[i] for i in cur[1:-1]))
print(f"recalled {ok} of {len(seqs)}")
