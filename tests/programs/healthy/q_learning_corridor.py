"""Q-learning on a corridor with a target network, replay and a decaying epsilon.

split: train
"""

import copy
import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)
random.seed(12)
CELLS = 8


def move(cell, action):
    cell = max(0, min(CELLS - 1, cell + (1 if action else -1)))
    return cell, 1.0 if cell == CELLS - 1 else 0.0, cell == CELLS - 1


one_hot = torch.eye(CELLS)
q = nn.Sequential(nn.Linear(CELLS, 32), nn.ReLU(), nn.Linear(32, 2))
target = copy.deepcopy(q)
optimizer = torch.optim.Adam(q.parameters(), lr=2e-3)
memory = []
lengths = []
for episode in range(60):
    epsilon = max(0.05, 1 - episode / 25)
    cell = 0
    length = 0
    for _ in range(60):
        length += 1
        if random.random() < epsilon:
            action = random.randrange(2)
        else:
            with torch.no_grad():
                action = q(one_hot[cell]).argmax().item()
        after, reward, done = move(cell, action)
        memory.append((cell, action, reward, after, float(done)))
        cell = after
        if len(memory) >= 64:
            s, a, r, s2, d = map(torch.tensor, zip(*random.sample(memory, 32), strict=True))
            with torch.no_grad():
                goal = r + 0.9 * (1 - d) * target(one_hot[s2]).max(1).values
            value = q(one_hot[s]).gather(1, a[:, None]).squeeze(1)
            loss = nn.functional.smooth_l1_loss(value, goal)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if done:
            break
    if episode % 3 == 0:
        target.load_state_dict(q.state_dict())
    lengths.append(length)
    if episode % 10 == 9:
        print(f"episode {episode + 1} mean length {sum(lengths[-10:]) / 10:.1f} (best {CELLS - 1})")
