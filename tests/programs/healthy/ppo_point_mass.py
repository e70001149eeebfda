"""PPO with GAE on a vectorised point-mass control task.

split: train
"""

import torch
from torch import nn
from torch.distributions import Normal
torch.manual_seed(32)
N, T = 32, 40
class Env:
    def reset(self): self.x = torch.randn(N, 2); self.v = torch.zeros(N, 2); return self.obs()
    def obs(self): return torch.cat([self.x, self.v], 1)
    def step(self, a):
        self.v = .8 * self.v + .3 * a.clamp(-1, 1); self.x = self.x + .3 * self.v
        return self.obs(), -self.x.norm(dim=1) - .01 * a.pow(2).sum(1)
class AC(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
        self.v = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
        self.log_std = nn.Parameter(torch.full((2,), -.5))
        for m in self.modules():
            if isinstance(m, nn.Linear): nn.init.orthogonal_(m.weight, 2 ** .5); nn.init.zeros_(m.bias)
        nn.init.orthogonal_(self.pi[-1].weight, .01); nn.init.orthogonal_(self.v[-1].weight, 1.)
    def dist(self, o): return Normal(self.pi(o), self.log_std.exp())
ac = AC(); opt = torch.optim.Adam(ac.parameters(), lr=1e-3, eps=1e-5); env = Env()
for update in range(40):
    o = env.reset(); O, A, LP, R, V = [], [], [], [], []
    with torch.no_grad():
        for t in range(T):
            d = ac.dist(o); a = d.sample()
            O.append(o); A.append(a); LP.append(d.log_prob(a).sum(1)); V.append(ac.v(o)[:, 0])
            o, r = env.step(a); R.append(r)
        V.append(ac.v(o)[:, 0]); adv, last = [None] * T, torch.zeros(N)
        for t in reversed(range(T)):
            last = R[t] + .95 * V[t + 1] - V[t] + .95 * .95 * last; adv[t] = last
    O, A, LP, adv = torch.cat(O), torch.cat(A), torch.cat(LP), torch.cat(adv)
    ret = adv + torch.cat(V[:-1])
    for _ in range(4):
        for b in torch.randperm(N * T).split(320):
            d = ac.dist(O[b]); ratio = (d.log_prob(A[b]).sum(1) - LP[b]).exp()
            ad = (adv[b] - adv[b].mean()) / (adv[b].std() + 1e-8)
            pl = -torch.min(ratio * ad, ratio.clamp(.8, 1.2) * ad).mean()
            vl = .5 * (ac.v(O[b])[:, 0] - ret[b]).pow(2).mean()
            loss = pl + .5 * vl - 1e-3 * d.entropy().sum(1).mean()
            opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(ac.parameters(), .5); opt.step()
    if update % 5 == 4: print(update, "reward", torch.stack(R).mean().item(), "v", vl.item())
