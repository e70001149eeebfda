"""A policy that learns to walk through a maze.

fault: graph-cut
also: 
split: train
line: 91
"""

import random
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
SEED = 11
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


class Maze:
    """5x5 grid; start and goal are random, four moves, small cost per step."""
    MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]

    def __init__(self, size=5, limit=20):
        self.size, self.limit = size, limit

    def reset(self):
        self.pos = [random.randrange(self.size) for _ in range(2)]
        self.goal = [random.randrange(self.size) for _ in range(2)]
        while self.goal == self.pos:
            self.goal = [random.randrange(self.size) for _ in range(2)]
        self.t = 0
        return self.obs()

    def obs(self):
        s = self.size - 1
        return np.array([self.pos[0] / s, self.pos[1] / s, (self.goal[0] - self.pos[0]) / s,
                         (self.goal[1] - self.pos[1]) / s], dtype=np.float32)

    def step(self, a):
        for k in range(2):
            self.pos[k] = min(max(self.pos[k] + self.MOVES[a][k], 0), self.size - 1)
        self.t += 1
        hit = self.pos == self.goal
        return self.obs(), (1.0 if hit else -0.05), hit or self.t >= self.limit


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 4))

    def forward(self, x):
        return Categorical(logits=self.body(x))


def rollout(env, policy):
    obs, done = env.reset(), False
    logps, rewards = [], []
    while not done:
        dist = policy(torch.from_numpy(obs))
        a = dist.sample()
        logps.append(dist.log_prob(a))
        obs, r, done = env.step(a.item())
        rewards.append(r)
    return logps, rewards


def discounted(rewards, gamma=0.95):
    out, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        out.append(g)
    return out[::-1]


env, policy = Maze(), Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)

for update in range(65):
    log_probs, returns, scores = [], [], []
    for _ in range(10):
        lp, rew = rollout(env, policy)
        log_probs += lp
        returns += discounted(rew)
        scores.append(sum(rew))
    R = torch.tensor(returns)
    R = (R - R.mean()) / (R.std() + 1e-6)
    log_probs = torch.tensor(log_probs, requires_grad=True)
    loss = -(log_probs * R).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if update % 10 == 0:
        print(f"update {update:3d}  loss {loss.item():+.4f}  return {np.mean(scores):+.3f}")

with torch.no_grad():
    final = [sum(rollout(env, policy)[1]) for _ in range(100)]
print(f"mean return over 100 episodes: {np.mean(final):+.3f}")
