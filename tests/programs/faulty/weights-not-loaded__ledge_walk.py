"""Q-learning on a ledge: walk to its end without falling off.

fault: weights-not-loaded
also: 
split: train
line: 65
"""

import random
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
random.seed(2)
torch.manual_seed(2)
WIDTH, LENGTH, GAMMA = 3, 12, 0.95


def observe(x, y):
    return [x / LENGTH, y / WIDTH, 1.0 if y == 0 else 0.0, 1.0 if y == WIDTH - 1 else 0.0]


def move(x, y, action):
    if action == 0:
        x += 1
    elif action == 1:
        y += 1
    else:
        y -= 1
    if random.random() < 0.1:
        y += random.choice((-1, 1))
    if not 0 <= y < WIDTH:
        return 0, 1, -1.0, True
    return x, y, 1.0 if x >= LENGTH else 0.0, x >= LENGTH


def network():
    return nn.Sequential(nn.Linear(4, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 3))


online_q, frozen_q = network(), network()
frozen_q.load_state_dict(online_q.state_dict())
optimizer = torch.optim.Adam(online_q.parameters(), lr=2e-3)
memory = deque(maxlen=4000)
x, y, lengths, steps = 0, 1, [], 0

for turn in range(1500):
    state = observe(x, y)
    if random.random() < max(0.1, 1 - turn / 800):
        action = random.randrange(3)
    else:
        with torch.no_grad():
            action = online_q(torch.tensor([state])).argmax().item()
    x, y, reward, done = move(x, y, action)
    steps += 1
    memory.append((state, action, reward, observe(x, y), float(done)))
    if done or steps > 60:
        lengths.append(reward)
        x, y, steps = 0, 1, 0
    if turn >= 200 and turn % 2 == 0:
        before, actions, rewards, after, over = (torch.tensor(part) for part in zip(*random.sample(memory, 32)))
        with torch.no_grad():
            wanted = rewards + GAMMA * (1 - over) * frozen_q(after).max(1).values
        said = online_q(before).gather(1, actions[:, None])[:, 0]
        loss = nn.functional.mse_loss(said, wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if turn % 300 == 299:
        print(f"turn {turn + 1} ended {len(lengths)} walks, {sum(one > 0 for one in lengths)} at the end")
