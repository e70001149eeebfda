"""An agent learns values on a grid.

split: train
"""

import copy
import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class WindyGrid:
    """Walk from the left column to the goal in the right one; wind pushes upwards."""

    W, H = 7, 5
    WIND = [0, 0, 1, 0, 1, 0, 0]
    MOVES = [(1, 0), (-1, 0), (0, 1), (0, -1)]

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def _obs(self):
        v = np.zeros(self.W * self.H, dtype=np.float32)
        v[self.y * self.W + self.x] = 1.0
        return v

    def reset(self):
        self.x, self.y, self.t = 0, self.rng.randrange(self.H), 0
        return self._obs()

    def step(self, a):
        dx, dy = self.MOVES[a]
        wind = self.WIND[self.x]
        self.x = min(max(self.x + dx, 0), self.W - 1)
        self.y = min(max(self.y + dy + wind, 0), self.H - 1)
        self.t += 1
        goal = self.x == self.W - 1 and self.y == 1
        return self._obs(), (10.0 if goal else -0.2), goal, goal or self.t >= 40


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 64), nn.ReLU(), nn.Linear(64, n_act))

    def forward(self, x):
        return self.net(x)


class Agent:
    def __init__(self, n_obs, n_act, lr=2e-3, gamma=0.95, sync_every=100):
        self.q = QNet(n_obs, n_act)
        self.q_target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma, self.sync_every, self.updates = gamma, sync_every, 0
        self.buffer = deque(maxlen=5000)
        self.n_act = n_act

    @torch.no_grad()
    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        return self.q(torch.from_numpy(obs)).argmax().item()

    def learn(self, batch_size=64):
        s, a, r, s2, done = zip(*random.sample(self.buffer, batch_size))
        s, s2 = torch.from_numpy(np.stack(s)), torch.from_numpy(np.stack(s2))
        a, r = torch.tensor(a), torch.tensor(r)
        done = torch.tensor(done, dtype=torch.float32)
        with torch.no_grad():
            target = r + self.gamma * (1 - done) * self.q_target(s2).max(1).values
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(q, target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        if self.updates % self.sync_every == 0:
            self.q_target.load_state_dict(self.q.state_dict())
        return loss.item()


def evaluate(agent, episodes=50):
    env, total = WindyGrid(seed=99), 0.0
    for _ in range(episodes):
        obs, over = env.reset(), False
        while not over:
            obs, r, _, over = env.step(agent.act(obs, 0.05))
            total += r
    return total / episodes


def main():
    random.seed(0)
    torch.manual_seed(0)
    env = WindyGrid(seed=1)
    agent = Agent(env.W * env.H, len(env.MOVES))
    for episode in range(200):
        eps = max(0.1, 1.0 - episode / 110)
        obs, over = env.reset(), False
        while not over:
            a = agent.act(obs, eps)
            nxt, r, terminal, over = env.step(a)
            agent.buffer.append((obs, a, r, nxt, terminal))
            obs = nxt
            if len(agent.buffer) >= 200:
                loss = agent.learn()
        if episode % 40 == 39:
            print(f"episode {episode} loss {loss:.4f} return {evaluate(agent, 20):.2f}")
    print(f"final mean return: {evaluate(agent):.2f}")


if __name__ == "__main__":
    main()
