"""Fitted Q-iteration for a lift that serves calls on eight floors; every second of waiting costs a point.

fault: unreachable-target
also: output-activation
split: train
line: 50
"""

import copy

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)
FLOORS = 8
rng = np.random.default_rng(12)


def features(lift, call):
    rows = np.zeros((len(lift), 2 * FLOORS), dtype=np.float32)
    rows[np.arange(len(lift)), lift] = 1
    rows[np.arange(len(lift)), FLOORS + call] = 1
    return torch.from_numpy(rows)


def advance(lift, call, action):
    moved = np.clip(lift + action - 1, 0, FLOORS - 1)
    served = moved == call
    return moved, np.where(served, 0.0, -1.0).astype(np.float32), served.astype(np.float32)


def log_of_random_rides(count=6000):
    lift, call, action = (rng.integers(0, n, count) for n in (FLOORS, FLOORS, 3))
    moved, reward, served = advance(lift, call, action)
    return features(lift, call), torch.from_numpy(action), torch.from_numpy(reward), features(moved, call), served


class Values(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.first = nn.Linear(2 * FLOORS, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 3)

    def forward(self, state):
        hidden = torch.relu(self.first(state))
        hidden = torch.relu(self.second(hidden))
        return torch.relu(self.out(hidden))


def mean_ride(net, rides=200, limit=20):
    lift, call = rng.integers(0, FLOORS, rides), rng.integers(0, FLOORS, rides)
    seconds, waiting = np.zeros(rides), np.ones(rides, dtype=bool)
    for _ in range(limit):
        with torch.no_grad():
            action = net(features(lift, call)).argmax(1).numpy()
        lift, _, served = advance(lift, call, action)
        seconds += waiting
        waiting &= served == 0
    return seconds.mean()


states, actions, rewards, following, served = log_of_random_rides()
served = torch.from_numpy(served)
net = Values()
behind = copy.deepcopy(net)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for sweep in range(20):
    running = 0.0
    for rows in torch.randperm(len(states)).split(128):
        with torch.no_grad():
            goal = rewards[rows] + 0.95 * (1 - served[rows]) * behind(following[rows]).amax(1)
        value = net(states[rows]).gather(1, actions[rows].unsqueeze(1)).squeeze(1)
        loss = nn.functional.mse_loss(value, goal)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    behind.load_state_dict(net.state_dict())
    if sweep % 4 == 3:
        print(f"sweep {sweep + 1:2d}  td error {running / 47:.4f}  mean ride {mean_ride(net):.2f} s")
