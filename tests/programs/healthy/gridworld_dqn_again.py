"""DQN with replay and a target network on a 5x5 grid with a pit.

split: test
"""
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

SIZE, GOAL, PITS = 5, (4, 4), {(2, 2), (3, 1), (1, 3)}
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Grid:
    def reset(self):
        free = [(r, c) for r in range(SIZE) for c in range(SIZE) if (r, c) != GOAL and (r, c) not in PITS]
        self.pos, self.t = random.choice(free), 0
        return self.pos

    def step(self, a):
        r, c = self.pos[0] + MOVES[a][0], self.pos[1] + MOVES[a][1]
        if 0 <= r < SIZE and 0 <= c < SIZE:
            self.pos = (r, c)
        self.t += 1
        if self.pos == GOAL:
            return self.pos, 1.0, True
        if self.pos in PITS:
            return self.pos, -1.0, True
        return self.pos, -0.02, False


def encode(positions):
    idx = torch.tensor([r * SIZE + c for r, c in positions])
    return F.one_hot(idx, SIZE * SIZE).float()


def qnet():
    return nn.Sequential(nn.Linear(SIZE * SIZE, 64), nn.ReLU(), nn.Linear(64, 4))


def greedy_success(net, env, n=100):
    wins = 0
    with torch.no_grad():
        for _ in range(n):
            s, done, r = env.reset(), False, 0.0
            while not done and env.t < 20:
                s, r, done = env.step(net(encode([s])).argmax().item())
            wins += r == 1.0
    return wins / n


def main():
    random.seed(0)
    torch.manual_seed(0)
    env, net, target = Grid(), qnet(), qnet()
    target.load_state_dict(net.state_dict())
    for p in target.parameters():
        p.requires_grad_(False)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    memory, gamma, s = deque(maxlen=5000), 0.95, env.reset()
    for step in range(1, 4001):
        eps = max(0.1, 1 - step / 2000)
        if random.random() < eps:
            a = random.randrange(4)
        else:
            with torch.no_grad():
                a = net(encode([s])).argmax().item()
        s2, r, done = env.step(a)
        memory.append((s, a, r, s2, done))
        # running out of time is not a terminal state, so it is not stored as one
        s = env.reset() if done or env.t >= 30 else s2
        if len(memory) >= 200 and step % 2 == 0:
            S, A, R, S2, D = zip(*random.sample(memory, 32))
            with torch.no_grad():
                y = torch.tensor(R) + gamma * target(encode(S2)).max(1).values * (1 - torch.tensor(D, dtype=torch.float))
            q = net(encode(S)).gather(1, torch.tensor(A)[:, None]).squeeze(1)
            loss = F.smooth_l1_loss(q, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if step % 100 == 0:
            target.load_state_dict(net.state_dict())
        if step % 1000 == 0:
            saved = env.pos, env.t
            print(f"step {step} eps {eps:.2f} td loss {loss.item():.5f} greedy success {greedy_success(net, env):.2f}")
            env.pos, env.t = saved


if __name__ == "__main__":
    main()
