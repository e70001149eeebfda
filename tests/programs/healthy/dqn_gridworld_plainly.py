"""DQN with replay and a target network on a 5x5 grid with walls.

split: test
"""

import random
from collections import deque
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0); np.random.seed(0); torch.manual_seed(0)


class Grid:
    WALLS = {(1, 1), (1, 2), (3, 3), (2, 3)}
    GOAL = (4, 4)
    MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]

    def reset(self):
        while True:
            p = (random.randrange(5), random.randrange(5))
            if p not in self.WALLS and p != self.GOAL:
                self.pos, self.t = p, 0
                return self.obs()

    def obs(self):
        v = np.zeros(25, dtype=np.float32)
        v[self.pos[0] * 5 + self.pos[1]] = 1.0
        return v

    def step(self, a):
        dr, dc = self.MOVES[a]
        n = (self.pos[0] + dr, self.pos[1] + dc)
        if 0 <= n[0] < 5 and 0 <= n[1] < 5 and n not in self.WALLS:
            self.pos = n
        self.t += 1
        done = self.pos == self.GOAL
        return self.obs(), (1.0 if done else -0.02), done, self.t >= 40


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(25, 64), nn.ReLU(), nn.Linear(64, 4))

    def forward(self, x):
        return self.f(x)


q, target = QNet(), QNet()
target.load_state_dict(q.state_dict())
for p in target.parameters():
    p.requires_grad_(False)
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
buf = deque(maxlen=5000)
gamma, batch = 0.95, 64
env = Grid()
s, total, returns, ep_ret = env.reset(), 6000, [], 0.0
for step in range(total):
    eps = max(0.1, 1.0 - step / 3000)
    if random.random() < eps:
        a = random.randrange(4)
    else:
        with torch.no_grad():
            a = q(torch.from_numpy(s)[None]).argmax().item()
    s2, r, term, trunc = env.step(a)
    buf.append((s, a, r, s2, float(term)))
    ep_ret += r
    s = s2
    if term or trunc:
        returns.append(ep_ret)
        ep_ret, s = 0.0, env.reset()
    if len(buf) >= 500:
        S, A, R, S2, D = zip(*random.sample(buf, batch))
        S, S2 = torch.from_numpy(np.stack(S)), torch.from_numpy(np.stack(S2))
        A, R, D = torch.tensor(A), torch.tensor(R), torch.tensor(D)
        with torch.no_grad():
            best = q(S2).argmax(1, keepdim=True)
            y = R + gamma * (1 - D) * target(S2).gather(1, best).squeeze(1)
        qa = q(S).gather(1, A[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(qa, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 200 == 0:
            target.load_state_dict(q.state_dict())
    if step % 1000 == 999:
        print(f"step {step + 1} eps {eps:.2f} loss {loss.item():.5f} mean return (last 50) {np.mean(returns[-50:]):.3f}")

wins, steps = 0, []
for _ in range(200):
    s = env.reset()
    while True:
        with torch.no_grad():
            s, r, term, trunc = env.step(q(torch.from_numpy(s)[None]).argmax().item())
        if term or trunc:
            wins += term
            steps.append(env.t)
            break
print(f"greedy success {wins / 200:.3f}, mean steps {np.mean(steps):.2f}")
