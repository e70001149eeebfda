"""REINFORCE with a learned value baseline on a hand-written cart-pole.

split: test
"""

import math
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
rng = np.random.default_rng(0)


class CartPoleVec:
    """n cart-poles at once; an episode ends when the pole falls or after `limit` steps."""

    def __init__(self, n, limit=150):
        self.n, self.limit = n, limit

    def reset(self):
        self.s = rng.uniform(-0.05, 0.05, (self.n, 4))
        self.t = 0
        self.alive = np.ones(self.n, bool)
        return self.obs()

    def obs(self):
        return torch.tensor(self.s / np.array([2.4, 2.0, 0.21, 2.0]), dtype=torch.float32)

    def step(self, a):
        x, xd, th, thd = self.s.T
        f = np.where(a == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (f + 0.05 * thd ** 2 * s) / 1.1
        tha = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        xa = tmp - 0.05 * tha * c / 1.1
        new = np.stack([x + 0.02 * xd, xd + 0.02 * xa, th + 0.02 * thd, thd + 0.02 * tha], 1)
        self.s = np.where(self.alive[:, None], new, self.s)
        rew = self.alive.astype(np.float32)
        self.t += 1
        self.alive &= (np.abs(self.s[:, 0]) < 2.4) & (np.abs(self.s[:, 2]) < 12 * math.pi / 180)
        return self.obs(), rew, self.alive.any() and self.t < self.limit


policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
value = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
opt_p = torch.optim.Adam(policy.parameters(), lr=1e-2)
opt_v = torch.optim.Adam(value.parameters(), lr=1e-2)
env, gamma = CartPoleVec(16), 0.98

ITERS = 70
sched_p = torch.optim.lr_scheduler.LinearLR(opt_p, 1.0, 0.1, ITERS)
for it in range(ITERS):
    obs, going = env.reset(), True
    O, A, R = [], [], []
    while going:
        with torch.no_grad():
            a = Categorical(logits=policy(obs)).sample()
        O.append(obs); A.append(a)
        obs, r, going = env.step(a.numpy())
        R.append(torch.from_numpy(r))
    O, A, R = torch.stack(O), torch.stack(A), torch.stack(R)
    G = torch.zeros_like(R)
    run = torch.zeros(env.n)
    for t in reversed(range(len(R))):
        run = R[t] + gamma * run
        G[t] = run
    mask = R > 0                       # only steps at which the pole was still up
    o, a, g = O[mask], A[mask], G[mask] / 20.0
    v = value(o).squeeze(-1)
    adv = g - v.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    dist = Categorical(logits=policy(o))
    loss_p = -(dist.log_prob(a) * adv).mean() - 0.005 * dist.entropy().mean()
    opt_p.zero_grad(); loss_p.backward(); opt_p.step()
    for _ in range(5):
        loss_v = nn.functional.mse_loss(value(o).squeeze(-1), g)
        opt_v.zero_grad(); loss_v.backward(); opt_v.step()
    sched_p.step()
    if it % 10 == 0 or it == ITERS - 1:
        print(f"iter {it:3d} mean length {R.sum(0).mean():.1f} value loss {loss_v.item():.4f} entropy {dist.entropy().mean():.3f}")

test, obs, going, total = CartPoleVec(50, 150), None, True, 0
obs = test.reset()
while going:
    with torch.no_grad():
        obs, r, going = test.step(policy(obs).argmax(1).numpy())
    total += r.sum()
print("greedy mean length over 50 episodes (max 150):", total / 50)
