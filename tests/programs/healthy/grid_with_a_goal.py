"""A policy and its value on a grid with a goal.

split: train
"""

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(1)
SIZE = 5
policy = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 4))
value = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 1))
opt = torch.optim.Adam([{"params": policy.parameters(), "lr": 3e-3}, {"params": value.parameters(), "lr": 1e-2}])
moves = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])
recent = []
for update in range(180):
    pos = torch.randint(0, SIZE, (48, 2))
    goal = torch.randint(0, SIZE, (48, 2))
    logps, values, rewards, entropies, alive = [], [], [], [], torch.ones(48)
    for t in range(12):
        obs = torch.cat([pos, goal], 1).float() / 2 - 1
        dist = Categorical(logits=policy(obs))
        act = dist.sample()
        logps.append(dist.log_prob(act) * alive)
        values.append(value(obs).squeeze(1) * alive)
        entropies.append(dist.entropy() * alive)
        pos = torch.where(alive[:, None] > 0, (pos + moves[act]).clamp(0, SIZE - 1), pos)
        there = (pos == goal).all(1).float()
        rewards.append(alive * (there - 0.05 * (1 - there)))
        alive = alive * (1 - there)
    ret, returns = torch.zeros(48), []
    for r in reversed(rewards):
        ret = r + 0.97 * ret
        returns.insert(0, ret)
    returns, values = torch.stack(returns), torch.stack(values)
    adv = (returns - values).detach()
    loss = -(torch.stack(logps) * adv).mean() + 0.5 * (returns - values).pow(2).mean() - 0.01 * torch.stack(entropies).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    opt.step()
    recent.append(torch.stack(rewards).sum(0).mean().item())
    if update % 30 == 29:
        print("update", update + 1, "return", round(sum(recent[-30:]) / 30, 3), "reached", 1 - alive.mean().item())
