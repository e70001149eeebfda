"""Cart on a line.

fault: optimizer-missing-parameters
also:
split: train
line: 41
"""

import copy
import random
from collections import deque

import torch
from torch import nn


class Line:
    """A cart on a line is pushed left or right and shall stay near the origin."""

    def reset(self):
        self.x, self.v, self.t = random.uniform(-1, 1), 0.0, 0
        return (self.x, self.v)

    def step(self, a):
        self.v = 0.9 * self.v + (0.15 if a else -0.15)
        self.x += self.v
        self.t += 1
        out = abs(self.x) > 2.5
        return (self.x, self.v), (-1.0 if out else 0.3 - min(abs(self.x), 1.0) * 0.3), out or self.t >= 40, out


def qnet():
    return nn.Sequential(nn.Linear(2, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))


random.seed(1)
torch.manual_seed(1)
env = Line()
policy = qnet()
target = copy.deepcopy(policy)
optimizer = torch.optim.Adam(target.parameters(), lr=1e-3)
memory = deque(maxlen=5000)
gamma, eps, steps = 0.95, 1.0, 0
scores = []
for episode in range(70):
    s, done, total = env.reset(), False, 0.0
    while not done:
        if random.random() < eps:
            a = random.randrange(2)
        else:
            with torch.no_grad():
                a = int(policy(torch.tensor([s])).argmax())
        s2, r, done, out = env.step(a)
        memory.append((s, a, r, s2, float(out)))
        s, total, steps = s2, total + r, steps + 1
        if len(memory) >= 64:
            batch = random.sample(memory, 64)
            S, A, R, S2, OUT = (torch.tensor(c) for c in zip(*batch))
            with torch.no_grad():
                goal = R + gamma * (1 - OUT) * target(S2).max(1).values
            q = policy(S).gather(1, A[:, None]).squeeze(1)
            loss = nn.functional.smooth_l1_loss(q, goal)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if steps % 100 == 0:
            target.load_state_dict(policy.state_dict())
    eps = max(0.05, eps * 0.94)
    scores.append(total)
    if episode % 10 == 9:
        print(f"episode {episode + 1} mean return {sum(scores[-10:]) / 10:.3f} eps {eps:.2f}")
print("SCORE", sum(scores[-15:]) / 15)
