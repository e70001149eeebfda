"""REINFORCE with a moving baseline on a corridor where the agent has to walk to the right end.

split: train
"""

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(0)

LENGTH, LIMIT = 8, 24


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(LENGTH, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, observation):
        return Categorical(logits=self.layers(observation))


def play(policy, agents=16):
    place = torch.randint(0, LENGTH // 2, (agents,))
    alive = torch.ones(agents, dtype=torch.bool)
    log_probs, rewards = [], []
    for _ in range(LIMIT):
        actions_of = policy(torch.eye(LENGTH)[place])
        action = actions_of.sample()
        log_probs.append(actions_of.log_prob(action) * alive)
        place = torch.where(alive, (place + 2 * action - 1).clamp(0, LENGTH - 1), place)
        arrived = alive & (place == LENGTH - 1)
        rewards.append(torch.where(arrived, 1.0, 0.0) - 0.02 * alive)
        alive = alive & ~arrived
        if not alive.any():
            break
    return torch.stack(log_probs), torch.stack(rewards)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
baseline = 0.0
for episode in range(150):
    log_probs, rewards = play(policy)
    returns = rewards.flip(0).cumsum(0).flip(0)
    advantage = returns - baseline
    loss = -(log_probs * advantage).sum(0).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    score = rewards.sum(0).mean().item()
    baseline = 0.9 * baseline + 0.1 * score
    if episode % 25 == 0 or episode == 149:
        print(f"episode {episode} return {score:.3f} (best possible about 0.9)")
