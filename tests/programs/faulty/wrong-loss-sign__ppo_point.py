"""Clipped policy gradient for a point that must be steered to the origin.

fault: wrong-loss-sign
also:
split: train
line: 60, 59
"""

import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(11)
torch.set_num_threads(1)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.mean = nn.Linear(32, 2)
        self.value = nn.Linear(32, 1)
        self.log_std = nn.Parameter(torch.full((2,), -0.7))

    def forward(self, state):
        hidden = self.body(state)
        return Normal(self.mean(hidden), self.log_std.exp()), self.value(hidden).squeeze(-1)


def rollout(agent, count=64, length=15):
    state = torch.rand(count, 2) * 4 - 2
    states, actions, old, rewards = [], [], [], []
    with torch.no_grad():
        for _ in range(length):
            policy, _ = agent(state)
            action = policy.sample()
            states.append(state)
            actions.append(action)
            old.append(policy.log_prob(action).sum(-1))
            state = (state + 0.3 * action.clamp(-1, 1)).clamp(-3, 3)
            rewards.append(-state.norm(dim=-1))
    returns = torch.zeros(length, count)
    running = torch.zeros(count)
    for t in reversed(range(length)):
        running = rewards[t] + 0.9 * running
        returns[t] = running
    return [torch.stack(each).flatten(0, 1) for each in (states, actions, old)], returns.flatten(), torch.stack(rewards)


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
for iteration in range(30):
    (states, actions, old), returns, rewards = rollout(agent)
    returns_scaled = (returns - returns.mean()) / returns.std()
    for _ in range(6):
        policy, value = agent(states)
        advantage = returns_scaled - value.detach()
        ratio = (policy.log_prob(actions).sum(-1) - old).exp()
        gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
        loss = gain + 0.5 * (value - returns_scaled).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
    if iteration % 5 == 0:
        print(f"iteration {iteration} reward {rewards.mean():.3f}")
