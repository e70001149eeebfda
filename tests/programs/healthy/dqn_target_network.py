"""DQN on a small slippery grid, replay buffer + target network.

split: test
"""

import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn

SEED = 3
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(1)


class Grid:
    size = 5
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    pits = {(1, 3), (3, 1)}

    def reset(self):
        self.pos, self.t = (random.randrange(2), 0), 0
        return self.obs()

    def obs(self):
        v = np.zeros(10, dtype=np.float32)
        v[self.pos[0]] = 1
        v[5 + self.pos[1]] = 1
        return v

    def step(self, a):
        if random.random() < 0.05:
            a = random.randrange(4)
        dx, dy = self.moves[a]
        self.pos = (min(4, max(0, self.pos[0] + dx)), min(4, max(0, self.pos[1] + dy)))
        self.t += 1
        if self.pos == (4, 4):
            return self.obs(), 1.0, True, False
        if self.pos in self.pits:
            return self.obs(), -1.0, True, False
        return self.obs(), -0.02, False, self.t >= 40


def make_net():
    return nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))


env = Grid()
q, target = make_net(), make_net()
target.load_state_dict(q.state_dict())
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
buffer = deque(maxlen=5000)
gamma, batch = 0.97, 64
steps, eps, returns, episode_return = 3000, 1.0, [], 0.0
s = env.reset()
for step in range(steps):
    eps = max(0.05, 1.0 - step / 1500)
    if random.random() < eps:
        a = random.randrange(4)
    else:
        with torch.no_grad():
            a = q(torch.from_numpy(s)).argmax().item()
    s2, r, done, truncated = env.step(a)
    buffer.append((s, a, r, s2, float(done)))
    episode_return += r
    s = s2
    if done or truncated:
        returns.append(episode_return)
        episode_return, s = 0.0, env.reset()

    if len(buffer) >= 200:
        S, A, R, S2, D = zip(*random.sample(buffer, batch))
        S, S2 = torch.from_numpy(np.stack(S)), torch.from_numpy(np.stack(S2))
        A, R, D = torch.tensor(A), torch.tensor(R), torch.tensor(D)
        with torch.no_grad():
            y = R + gamma * (1 - D) * target(S2).max(1).values
        pred = q(S).gather(1, A[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(q.parameters(), 10.0)
        opt.step()
        if step % 100 == 0:
            target.load_state_dict(q.state_dict())
        if step % 500 == 0:
            print(f"step {step} eps {eps:.2f} loss {loss.item():.4f} mean return {np.mean(returns[-20:]):.3f}")

wins = 0
for _ in range(100):
    s, over = env.reset(), False
    while not over:
        with torch.no_grad():
            a = q(torch.from_numpy(s)).argmax().item()
        s, r, done, truncated = env.step(a)
        over = done or truncated
    wins += r > 0
print("greedy success rate over 100 episodes:", wins / 100)
