"""Policy gradient for choosing one of five banners from user features (contextual bandit).

fault: wrong-loss-sign
also:
split: test
line: 37
"""
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(1)
USERS, ACTIONS = 12, 5
true_w = torch.randn(USERS, ACTIONS)


def click_prob(x):
    return torch.sigmoid(1.5 * (x @ true_w) / USERS ** 0.5 * 2 - 1.0)


policy = nn.Sequential(nn.Linear(USERS, 32), nn.Tanh(), nn.Linear(32, ACTIONS))
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)

x_eval = torch.randn(4000, USERS)
p_eval = click_prob(x_eval)
print(f"random policy {p_eval.mean():.4f}   best possible {p_eval.max(1).values.mean():.4f}")

baseline = 0.0
for step in range(1, 1501):
    users = torch.randn(256, USERS)
    dist = Categorical(logits=policy(users))
    banner = dist.sample()
    reward = torch.bernoulli(click_prob(users).gather(1, banner[:, None]).squeeze(1))
    advantage = reward - baseline
    baseline = 0.95 * baseline + 0.05 * reward.mean().item()

    loss = (dist.log_prob(banner) * advantage).mean() - 0.005 * dist.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 250 == 0:
        print(f"step {step} click rate {reward.mean():.3f} entropy {dist.entropy().mean():.3f}")

with torch.no_grad():
    choice = policy(x_eval).argmax(1)
print(f"greedy click rate {p_eval.gather(1, choice[:, None]).mean():.4f}")
