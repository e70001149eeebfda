"""PPO (clipped) on a hand-written cart-pole.

split: test
"""

import math

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(9)
rng = np.random.default_rng(9)


class VecCartPole:
    """n poles in parallel, limit of 200 steps"""

    def __init__(self, n):
        self.n = n
        self.s = rng.uniform(-0.05, 0.05, (n, 4))
        self.t = np.zeros(n, int)
        self.finished = []

    def step(self, a):
        x, v, th, w = self.s.T
        f = np.where(a == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (f + 0.05 * w ** 2 * s) / 1.1
        acc = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        xa = tmp - 0.05 * acc * c / 1.1
        self.s = np.stack([x + 0.02 * v, v + 0.02 * xa, th + 0.02 * w, w + 0.02 * acc], 1)
        self.t += 1
        fail = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 12 * math.pi / 180)
        over = fail | (self.t >= 200)
        self.finished += self.t[over].tolist()
        nxt = self.s.copy()
        self.s[over] = rng.uniform(-0.05, 0.05, (over.sum(), 4))
        self.t[over] = 0
        return nxt, fail, over


def layer(i, o, gain):
    lin = nn.Linear(i, o)
    nn.init.orthogonal_(lin.weight, gain)
    nn.init.zeros_(lin.bias)
    return lin


actor = nn.Sequential(layer(4, 64, 2 ** 0.5), nn.Tanh(), layer(64, 2, 0.01))
critic = nn.Sequential(layer(4, 64, 2 ** 0.5), nn.Tanh(), layer(64, 1, 1.0))
opt = torch.optim.Adam([{"params": actor.parameters(), "lr": 3e-3}, {"params": critic.parameters(), "lr": 5e-3}], eps=1e-5)
env, T, gamma, lam, clip = VecCartPole(16), 64, 0.98, 0.95, 0.2
scale = torch.tensor([1.0, 1.0, 5.0, 1.0])
tensor = lambda s: torch.tensor(s, dtype=torch.float32) * scale

for update in range(1, 26):
    S, A, LP, V, NV, F, O = [], [], [], [], [], [], []
    with torch.no_grad():
        for _ in range(T):
            s = tensor(env.s)
            dist = Categorical(logits=actor(s))
            a = dist.sample()
            nxt, fail, over = env.step(a.numpy())
            S.append(s), A.append(a), LP.append(dist.log_prob(a)), V.append(critic(s).squeeze(-1))
            NV.append(critic(tensor(nxt)).squeeze(-1)), F.append(torch.tensor(fail).float()), O.append(torch.tensor(over).float())
        adv, last = [None] * T, torch.zeros(env.n)
        for i in reversed(range(T)):
            delta = 0.1 + gamma * NV[i] * (1 - F[i]) - V[i]
            last = delta + gamma * lam * (1 - O[i]) * last
            adv[i] = last
    S, A, LP, V, adv = torch.cat(S), torch.cat(A), torch.cat(LP), torch.cat(V), torch.cat(adv)
    ret = adv + V
    for _ in range(4):
        for idx in torch.randperm(len(S)).split(256):
            ad = (adv[idx] - adv[idx].mean()) / (adv[idx].std() + 1e-8)
            dist = Categorical(logits=actor(S[idx]))
            ratio = (dist.log_prob(A[idx]) - LP[idx]).exp()
            pg = -torch.min(ratio * ad, ratio.clamp(1 - clip, 1 + clip) * ad).mean()
            vf = (critic(S[idx]).squeeze(-1) - ret[idx]).pow(2).mean()
            loss = pg + 0.5 * vf - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
            opt.step()
    if update % 5 == 0:
        print(f"update {update} loss {loss.item():.4f} value {vf.item():.4f} episode length {np.mean(env.finished[-30:]):.1f}")
