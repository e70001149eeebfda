"""A policy learns to walk through a grid by REINFORCE.

fault: wrong-loss-sign
also: 
split: test
line: 79
"""

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(13)

SIZE = 5
MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class GridBatch:
    """Many independent 5x5 worlds stepped together. Reward: closer to the goal +1, otherwise -1, reached: +3 once."""

    def __init__(self, n):
        self.n = n

    def reset(self):
        self.pos = torch.randint(0, SIZE, (self.n, 2))
        self.goal = torch.randint(0, SIZE, (self.n, 2))
        self.done = (self.pos == self.goal).all(1)
        return self.obs()

    def obs(self):
        return torch.cat([self.pos, self.goal], 1).float() / (SIZE - 1) * 2 - 1

    def step(self, action):
        before = (self.pos - self.goal).abs().sum(1)
        new = (self.pos + MOVES[action]).clamp(0, SIZE - 1)
        self.pos = torch.where(self.done.unsqueeze(1), self.pos, new)
        after = (self.pos - self.goal).abs().sum(1)
        reward = torch.where(after < before, 1.0, -1.0) + 3.0 * (after == 0)
        reward = torch.where(self.done, torch.zeros_like(reward), reward)
        self.done = self.done | (after == 0)
        return self.obs(), reward, self.done


policy = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 4))
optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
env = GridBatch(64)
GAMMA, HORIZON = 0.9, 10


def rollout(env):
    obs = env.reset()
    log_probs, rewards, alive = [], [], []
    for _ in range(HORIZON):
        dist = Categorical(logits=policy(obs))
        action = dist.sample()
        alive.append((~env.done).float())
        obs, reward, _ = env.step(action)
        log_probs.append(dist.log_prob(action))
        rewards.append(reward)
    return torch.stack(log_probs), torch.stack(rewards), torch.stack(alive)


def discounted(rewards):
    out, acc = [], torch.zeros(rewards.size(1))
    for r in reversed(rewards.unbind(0)):
        acc = r + GAMMA * acc
        out.append(acc)
    return torch.stack(out[::-1])


for it in range(1, 201):
    log_probs, rewards, alive = rollout(env)
    returns = discounted(rewards)
    mean = (returns * alive).sum() / alive.sum()
    std = (((returns - mean) ** 2 * alive).sum() / alive.sum()).sqrt()
    advantage = (returns - mean) / (std + 1e-6)
    loss = (log_probs * advantage * alive).sum() / alive.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 25 == 0:
        print(f"iter {it} loss {loss.item():.3f} mean episode reward {rewards.sum(0).mean().item():.2f}")

test_env = GridBatch(500)
with torch.no_grad():
    obs, total = test_env.reset(), 0.0
    for _ in range(HORIZON):
        obs, reward, done = test_env.step(policy(obs).argmax(1))
        total += reward.mean().item()
print(f"greedy evaluation: reward {total:.2f}, goal reached {done.float().mean().item():.2%}")
