"""A policy that learns to walk down a corridor.

split: test
"""

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(13)


class Corridors:
    """Batch of 1-d corridors; go to the goal, -0.1 per step, +1 at the goal."""

    def __init__(self, n, length=9, limit=16):
        self.n, self.length, self.limit = n, length, limit

    def reset(self):
        self.pos = torch.randint(0, self.length, (self.n,))
        self.goal = torch.randint(0, self.length, (self.n,))
        self.done = self.pos == self.goal
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.stack([self.pos, self.goal], 1).float() / (self.length - 1) * 2 - 1

    def step(self, action):
        alive = ~self.done
        move = action * 2 - 1
        self.pos = torch.where(alive, (self.pos + move).clamp(0, self.length - 1), self.pos)
        hit = alive & (self.pos == self.goal)
        reward = alive.float() * -0.1 + hit.float()
        self.done = self.done | hit
        self.t += 1
        return self.obs(), reward, alive.float(), self.t >= self.limit


policy = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
value = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
env = Corridors(64)
gamma = 0.98

for it in range(1, 81):
    obs, end = env.reset(), False
    logps, ents, values, rewards, masks = [], [], [], [], []
    while not end:
        dist = Categorical(logits=policy(obs))
        a = dist.sample()
        logps.append(dist.log_prob(a))
        ents.append(dist.entropy())
        values.append(value(obs).squeeze(1))
        obs, r, m, end = env.step(a)
        rewards.append(r)
        masks.append(m)
    ret, returns = torch.zeros(env.n), []
    for r in reversed(rewards):
        ret = r + gamma * ret
        returns.insert(0, ret)
    R, V = torch.stack(returns), torch.stack(values)
    mask = torch.stack(masks)
    adv = (R - V).detach()
    pg = -(torch.stack(logps) * adv * mask).sum() / mask.sum()
    vf = ((R - V).pow(2) * mask).sum() / mask.sum()
    ent = (torch.stack(ents) * mask).sum() / mask.sum()
    loss = pg + 0.5 * vf - 0.01 * ent
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()
    if it % 10 == 0:
        print(f"iter {it:3d} loss {loss.item():+.3f} mean return {R[0].mean().item():+.3f} "
              f"episode length {mask.sum(0).mean().item():.2f}")

test = Corridors(500)
obs, end, steps = test.reset(), False, 0
with torch.no_grad():
    while not end:
        obs, _, m, end = test.step(policy(obs).argmax(1))
print("greedy policy reaches the goal in %.1f%% of episodes" % (100 * test.done.float().mean()))
