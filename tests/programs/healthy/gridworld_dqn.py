"""Q-learning in a grid.

split: test
"""

import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)

SIZE, GAMMA, MAX_STEPS = 5, 0.95, 30
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


def encode(pos):
    v = torch.zeros(2 * SIZE)
    v[pos[0]] = 1.0
    v[SIZE + pos[1]] = 1.0
    return v


def step(pos, a):
    dx, dy = MOVES[a]
    nxt = (min(max(pos[0] + dx, 0), SIZE - 1), min(max(pos[1] + dy, 0), SIZE - 1))
    done = nxt == (SIZE - 1, SIZE - 1)
    return nxt, (1.0 if done else -0.02), done


q = nn.Sequential(nn.Linear(2 * SIZE, 48), nn.ReLU(), nn.Linear(48, 4))
target = copy.deepcopy(q).requires_grad_(False)
opt = torch.optim.Adam(q.parameters(), lr=3e-3)
memory = deque(maxlen=3000)


def greedy_length(start=(0, 0)):
    pos = start
    with torch.no_grad():
        for n in range(1, MAX_STEPS + 1):
            pos, _, done = step(pos, q(encode(pos)).argmax().item())
            if done:
                return n
    return MAX_STEPS


updates = 0
for episode in range(1, 121):
    pos = (random.randrange(SIZE - 1), random.randrange(SIZE))
    eps = max(0.05, 1 - episode / 80)
    for _ in range(MAX_STEPS):
        if random.random() < eps:
            a = random.randrange(4)
        else:
            with torch.no_grad():
                a = q(encode(pos)).argmax().item()
        nxt, r, done = step(pos, a)
        memory.append((encode(pos), a, r, encode(nxt), float(done)))
        pos = nxt
        if len(memory) >= 64:
            s, act, rew, s2, d = zip(*random.sample(memory, 32))
            with torch.no_grad():
                best = target(torch.stack(s2)).max(1).values
                y = torch.tensor(rew) + GAMMA * (1 - torch.tensor(d)) * best
            pred = q(torch.stack(s)).gather(1, torch.tensor(act).unsqueeze(1)).squeeze(1)
            loss = F.smooth_l1_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            updates += 1
            if updates % 50 == 0:
                target.load_state_dict(q.state_dict())
        if done:
            break
    if episode % 20 == 0:
        print(f"episode {episode} eps {eps:.2f} td loss {loss.item():.5f} greedy path {greedy_length()} (best 8)")
