"""A DQN that pushes a cart to the middle: it acts one state at a time, and learns from all that it remembers.

split: train
"""

import random
from collections import deque

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
random.seed(0)
np.random.seed(0)
torch.manual_seed(0)


class Cart:
    def reset(self):
        self.place, self.speed, self.time = np.random.uniform(-1, 1), 0.0, 0
        return np.array([self.place, self.speed], dtype=np.float32)

    def step(self, action):
        self.speed += 0.1 * (1 if action == 1 else -1) - 0.02 * self.speed
        self.place += 0.1 * self.speed
        self.time += 1
        return np.array([self.place, self.speed], dtype=np.float32), -abs(self.place), self.time >= 40


def network():
    return nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 2))


online, target = network(), network()
target.load_state_dict(online.state_dict())
optimizer = torch.optim.Adam(online.parameters(), lr=1e-3)
memory = deque(maxlen=5000)
cart, seen, returns = Cart(), 0, []
for episode in range(60):
    state, total, done = cart.reset(), 0.0, False
    while not done:
        if random.random() < max(0.05, 1 - episode / 30):
            action = random.randrange(2)
        else:
            with torch.no_grad():
                action = online(torch.from_numpy(state)[None]).argmax(1).item()
        following, reward, done = cart.step(action)
        memory.append((state, action, reward, following, float(done)))
        state, total, seen = following, total + reward, seen + 1
        if len(memory) > 200:
            batch = random.sample(memory, 64)
            states, actions, rewards, followings, ends = (
                torch.stack([torch.as_tensor(each[i], dtype=torch.float32) for each in batch]) for i in range(5)
            )
            with torch.no_grad():
                wanted = rewards + 0.95 * (1 - ends) * target(followings).max(1).values
            chosen = online(states).gather(1, actions.long()[:, None]).squeeze(1)
            loss = nn.functional.smooth_l1_loss(chosen, wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if seen % 200 == 0:
            target.load_state_dict(online.state_dict())
    returns.append(total)
print(f"return {np.mean(returns[:10]):.2f} -> {np.mean(returns[-10:]):.2f}")
