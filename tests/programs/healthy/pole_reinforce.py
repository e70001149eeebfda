"""REINFORCE on a balancing pole with a simulator of its own.

split: train
"""

import math
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class PoleEnv:
    """Usual cart-pole equations."""
    limit = 80

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, 4)
        self.t = 0
        return self.s.copy()

    def step(self, a):
        x, v, th, w = self.s
        force = 10.0 if a == 1 else -10.0
        c, s = math.cos(th), math.sin(th)
        tmp = (force + 0.05 * w * w * s) / 1.1
        acc = (9.8 * s - c * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * c * c / 1.1))
        xacc = tmp - 0.05 * acc * c / 1.1
        self.s = np.array([x + 0.02 * v, v + 0.02 * xacc, th + 0.02 * w, w + 0.02 * acc])
        self.t += 1
        fallen = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.2095
        return self.s.copy(), 1.0, fallen or self.t >= self.limit


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
        self.register_buffer("scale", torch.tensor([2.4, 2.0, 0.21, 2.0]))

    def forward(self, obs):
        return Categorical(logits=self.body(obs / self.scale))


def discounted(rewards, gamma=0.98):
    out, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.append(running)
    return out[::-1]


def rollout(env, policy):
    obs, done = env.reset(), False
    log_probs, rewards = [], []
    while not done:
        dist = policy(torch.as_tensor(obs, dtype=torch.float32))
        action = dist.sample()
        obs, r, done = env.step(action.item())
        log_probs.append(dist.log_prob(action))
        rewards.append(r)
    return torch.stack(log_probs), rewards


def main():
    torch.manual_seed(2)
    env = PoleEnv(np.random.default_rng(2))
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    lengths = []
    for update in range(1, 66):
        logps, rets = [], []
        for _ in range(4):
            lp, rewards = rollout(env, policy)
            logps.append(lp)
            rets.extend(discounted(rewards))
            lengths.append(len(rewards))
        rets = torch.tensor(rets)
        adv = (rets - rets.mean()) / (rets.std() + 1e-8)
        loss = -(torch.cat(logps) * adv).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update % 5 == 0:
            print(f"update {update:3d}  loss {loss.item():+.4f}  mean episode length {np.mean(lengths[-20:]):.1f}")
    with torch.no_grad():
        final = np.mean([len(rollout(env, policy)[1]) for _ in range(20)])
    print(f"evaluation over 20 episodes: {final:.1f} steps")


if __name__ == "__main__":
    main()
