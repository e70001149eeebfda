"""Deep Q-learning with a replay buffer and a target network on a small grid with a goal in the corner.

split: train
"""

import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(7)
random.seed(7)

SIZE = 4
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


def encode(position):
    vector = torch.zeros(SIZE * SIZE)
    vector[position[0] * SIZE + position[1]] = 1
    return vector


def walk(position, action):
    row = min(max(position[0] + MOVES[action][0], 0), SIZE - 1)
    column = min(max(position[1] + MOVES[action][1], 0), SIZE - 1)
    done = (row, column) == (SIZE - 1, SIZE - 1)
    return (row, column), (1.0 if done else -0.05), done


class Agent:
    def __init__(self):
        self.q = nn.Sequential(nn.Linear(SIZE * SIZE, 64), nn.ReLU(), nn.Linear(64, 4))
        self.target = copy.deepcopy(self.q)
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = deque(maxlen=2000)

    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(4)
        with torch.no_grad():
            return int(self.q(state).argmax())

    def learn(self, batch_size=32, gamma=0.95):
        batch = random.sample(self.memory, batch_size)
        states, actions, rewards, following, done = map(list, zip(*batch, strict=False))
        values = self.q(torch.stack(states)).gather(1, torch.tensor(actions).unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.target(torch.stack(following)).max(1).values
            goal = torch.tensor(rewards) + gamma * best * (1 - torch.tensor(done))
        loss = F.smooth_l1_loss(values, goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


agent = Agent()
total = 0
for episode in range(120):
    position, steps = (random.randrange(SIZE), random.randrange(SIZE - 1)), 0
    epsilon = max(0.05, 1 - episode / 60)
    done = False
    while not done and steps < 30:
        state = encode(position)
        action = agent.act(state, epsilon)
        position, reward, done = walk(position, action)
        agent.memory.append((state, action, reward, encode(position), float(done)))
        steps += 1
        total += 1
        if len(agent.memory) >= 200:
            agent.learn()
        if total % 100 == 0:
            agent.target.load_state_dict(agent.q.state_dict())

lengths = []
for row in range(SIZE):
    position, steps = (row, 0), 0
    while position != (SIZE - 1, SIZE - 1) and steps < 30:
        position, _, _ = walk(position, agent.act(encode(position), 0.0))
        steps += 1
    lengths.append(steps)
print("steps to the goal from the left side:", lengths, "(shortest: 6 5 4 3)")
