"""A key and a door, with a target network.

split: train
"""

import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
random.seed(4)
torch.manual_seed(4)


class KeyDoor:
    """A corridor of 9 cells: fetch the key at one end, then open the door at the other."""
    N = 9

    def reset(self):
        self.pos, self.key, self.t = random.randrange(2, self.N - 2), 0.0, 0
        return self.state()

    def state(self):
        s = torch.zeros(self.N + 1)
        s[self.pos], s[-1] = 1.0, self.key
        return s

    def step(self, a):
        self.t += 1
        self.pos = max(0, min(self.N - 1, self.pos + (1 if a == 1 else -1)))
        reward = -0.02
        if self.pos == 0 and not self.key:
            self.key, reward = 1.0, 0.3
        done = bool(self.pos == self.N - 1 and self.key)
        return self.state(), (1.0 if done else reward), done, done or self.t >= 40


def make_q():
    return nn.Sequential(nn.Linear(KeyDoor.N + 1, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))


def play(env, q, eps):
    s, total = env.reset(), 0.0
    while True:
        with torch.no_grad():
            a = random.randrange(2) if random.random() < eps else q(s).argmax().item()
        s2, r, terminal, over = env.step(a)
        yield s, a, r, s2, terminal
        s = s2
        if over:
            return


env, q = KeyDoor(), make_q()
target = copy.deepcopy(q).requires_grad_(False)
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
memory, step, gamma = deque(maxlen=5000), 0, 0.96

for episode in range(120):
    eps = max(0.05, 1.0 - episode / 60)
    loss_sum, n, score = 0.0, 0, 0.0
    for tr in play(env, q, eps):
        memory.append(tr)
        score += tr[2]
        step += 1
        if len(memory) < 200 or step % 2:
            continue
        s, a, r, s2, d = zip(*random.sample(memory, 64))
        s, s2 = torch.stack(s), torch.stack(s2)
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d, dtype=torch.float32)
        qa = q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = q(s2).argmax(1, keepdim=True)
            y = r + gamma * (1 - d) * target(s2).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(qa, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(q.parameters(), 10.0)
        opt.step()
        if step % 100 == 0:
            target.load_state_dict(q.state_dict())
        loss_sum, n = loss_sum + loss.item(), n + 1
    if episode % 10 == 0:
        print(f"episode {episode:3d} eps {eps:.2f} td loss {loss_sum / max(n, 1):.4f} return {score:+.2f}")

greedy = [sum(t[2] for t in play(env, q, 0.0)) for _ in range(50)]
print(f"greedy return {sum(greedy) / len(greedy):+.3f} (best possible about +1.1)")
