"""Q-learning on a chain.

split: test
"""

import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
random.seed(4)
torch.manual_seed(4)


class Corridor:
    """Start in the middle of 9 cells; a lamp (+1/-1) says which end holds the prize."""

    def reset(self):
        self.pos, self.side, self.t = 4, random.choice([-1, 1]), 0
        return self.obs()

    def obs(self):
        return [(self.pos - 4) / 4, float(self.side), self.t / 12]

    def step(self, action):
        self.pos += 1 if action == 1 else -1
        self.t += 1
        if self.pos in (0, 8):
            won = (self.pos == 8) == (self.side == 1)
            return self.obs(), 1.0 if won else -1.0, True
        return self.obs(), -0.02, self.t >= 12


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))

    def forward(self, s):
        return self.net(s)


q, q_target = QNet(), QNet()
q_target.load_state_dict(q.state_dict())
for p in q_target.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.Adam(q.parameters(), lr=1e-3)
buffer = deque(maxlen=5000)
GAMMA = 0.95


def update(batch):
    s, a, r, s2, d = (torch.tensor(v, dtype=torch.float32) for v in zip(*batch))
    qa = q(s).gather(1, a.long().unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = q(s2).argmax(1, keepdim=True)
        y = r + GAMMA * (1 - d) * q_target(s2).gather(1, best).squeeze(1)
    loss = F.smooth_l1_loss(qa, y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(q.parameters(), 10.0)
    optimizer.step()
    return loss.item()


@torch.no_grad()
def play(env, n=50):
    total = 0.0
    for _ in range(n):
        s, done = env.reset(), False
        while not done:
            s, r, done = env.step(q(torch.tensor([s])).argmax().item())
            total += r
    return total / n


env, steps, losses = Corridor(), 0, []
for episode in range(1, 251):
    eps = max(0.05, 1 - episode / 120)
    s, done = env.reset(), False
    while not done:
        with torch.no_grad():
            a = random.randrange(2) if random.random() < eps else q(torch.tensor([s])).argmax().item()
        s2, r, done = env.step(a)
        timeout = done and env.pos not in (0, 8)
        buffer.append((s, a, r, s2, float(done and not timeout)))
        s = s2
        steps += 1
        if len(buffer) >= 200:
            losses.append(update(random.sample(buffer, 64)))
        if steps % 50 == 0:
            q_target.load_state_dict(q.state_dict())
    if episode % 50 == 0:
        print(f"episode {episode} eps {eps:.2f} td loss {sum(losses[-100:]) / max(1, len(losses[-100:])):.4f} greedy return {play(Corridor()):.3f}")
