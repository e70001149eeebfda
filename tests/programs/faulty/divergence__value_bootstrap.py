"""The value of places on a ring of states, learnt by bootstrapping from the next place.

fault: divergence
also: learning-rate-too-high, target-not-scaled, exploding-gradient
split: test
line: 40
"""

import torch
from torch import nn

STATES = 24


def features(state):
    angle = state.float() * (6.283185 / STATES)
    return torch.stack([angle.cos(), angle.sin(), (2 * angle).cos(), (2 * angle).sin()], dim=-1)


class ValueLearner:
    def __init__(self, discount):
        self.discount = discount
        self.net = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=3e-3)

    def learn(self, state):
        following = (state + torch.randint(1, 3, state.shape)) % STATES
        reward = (following < 4).float()
        with torch.no_grad():
            target = reward + self.discount * self.net(features(following)).squeeze(1)
        loss = (self.net(features(state)).squeeze(1) - target).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


torch.set_num_threads(1)
torch.manual_seed(472)
learner = ValueLearner(discount=1.3)
for step in range(1, 1201):
    loss = learner.learn(torch.randint(0, STATES, (64,)))
    if step % 200 == 0:
        with torch.no_grad():
            values = learner.net(features(torch.arange(STATES)))
        print(f"step {step} loss {loss:.4g} values from {values.min():.3g} to {values.max():.3g}")
