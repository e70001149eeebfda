"""Knowledge graph embedding (TransE / RotatE-like margin with self-adversarial negatives).

split: test
"""

import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(36)
N, R = 120, 4
pos = torch.randperm(N)
def tail(h, r): return pos[(torch.argsort(pos)[h] + torch.tensor([1, 3, 7, 11])[r]) % N]
H = torch.arange(N).repeat(R); Rl = torch.arange(R).repeat_interleave(N); T = tail(H, Rl)
keep = torch.rand(len(H)) < .9
class RotatE(nn.Module):
    def __init__(self, d=16):
        super().__init__(); self.e = nn.Embedding(N, 2 * d); self.r = nn.Embedding(R, d)
        nn.init.uniform_(self.e.weight, -.5, .5); nn.init.uniform_(self.r.weight, -3.14, 3.14)
    def forward(self, h, r, t):
        a = torch.view_as_complex(self.e(h).view(*h.shape, -1, 2)); b = torch.view_as_complex(self.e(t).view(*t.shape, -1, 2))
        return 6. - (a * torch.polar(torch.ones_like(self.r(r)), self.r(r)) - b).abs().sum(-1)
m = RotatE(); opt = torch.optim.Adam(m.parameters(), 2e-2)
tr = torch.nonzero(keep)[:, 0]
for it in range(400):
    b = tr[torch.randint(0, len(tr), (128,))]
    h, r, t = H[b], Rl[b], T[b]
    ps = m(h, r, t); neg = torch.randint(0, N, (128, 16))
    ns = m(h[:, None].expand(-1, 16), r[:, None].expand(-1, 16), neg)
    w = ns.detach().softmax(1)
    loss = (-F.logsigmoid(ps) - (w * F.logsigmoid(-ns)).sum(1)).mean() / 2
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 100 == 99:
        with torch.no_grad():
            te = torch.nonzero(keep)[:, 0][:60]
            s = m(H[te][:, None].expand(-1, N), Rl[te][:, None].expand(-1, N), torch.arange(N).expand(len(te), N))
            print(it, loss.item(), "hits@1", (s.argmax(1) == T[te]).float().mean().item())
