"""An agent learns to balance a pole.

fault: labels-independent-of-inputs
also:
split: test
line: 55, 57
"""

import math

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Pole:
    """Cart-pole dynamics with Euler integration, +1 reward per step."""

    limit = 120

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, size=4)
        self.t = 0
        return self.s.astype(np.float32)

    def step(self, action):
        x, v, th, om = self.s
        force = 10.0 if action == 1 else -10.0
        c, s = math.cos(th), math.sin(th)
        tmp = (force + 0.05 * om ** 2 * s) / 1.1
        alpha = (9.8 * s - c * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * c ** 2 / 1.1))
        acc = tmp - 0.05 * alpha * c / 1.1
        dt = 0.02
        self.s = np.array([x + dt * v, v + dt * acc, th + dt * om, om + dt * alpha])
        self.t += 1
        fell = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21
        return self.s.astype(np.float32), 1.0, fell or self.t >= self.limit


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, obs):
        return Categorical(logits=self.body(obs))


def discounted_returns(rewards, gamma):
    returns, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        returns.append(running)
    return torch.tensor(returns)


def play(env, policy):
    obs, rewards, logps, over = env.reset(), [], [], False
    while not over:
        dist = policy(torch.from_numpy(obs))
        action = dist.sample()
        logps.append(dist.log_prob(action))
        obs, r, over = env.step(action.item())
        rewards.append(r)
    return rewards, torch.stack(logps)


@torch.no_grad()
def evaluate(policy, episodes=20):
    env, lengths = Pole(seed=1234), []
    for _ in range(episodes):
        obs, over, n = env.reset(), False, 0
        while not over:
            obs, _, over = env.step(policy(torch.from_numpy(obs)).probs.argmax().item())
            n += 1
        lengths.append(n)
    return sum(lengths) / len(lengths)


def main(episodes=220, gamma=0.99, lr=1e-2):
    torch.manual_seed(2)
    env, policy = Pole(seed=2), Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
    recent = []
    for ep in range(episodes):
        rewards, logps = play(env, policy)
        returns = discounted_returns(rewards, gamma)
        advantage = (returns - returns.mean()) / (returns.std() + 1e-8)
        loss = -(logps * advantage).sum() / 20
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent.append(len(rewards))
        if ep % 50 == 49:
            print(f"episode {ep} mean length {np.mean(recent[-50:]):.1f}")
    print(f"final mean episode length: {evaluate(policy):.1f}")


if __name__ == "__main__":
    main()
