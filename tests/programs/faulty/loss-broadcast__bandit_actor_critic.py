"""Advantage actor-critic on a contextual bandit.

fault: loss-broadcast
also:
split: train
line: 25
"""
import torch
import torch.nn as nn

torch.manual_seed(12)
CONTEXT, ARMS = 6, 4
M = torch.randn(CONTEXT, ARMS)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(CONTEXT, 48), nn.Tanh())
        self.pi = nn.Linear(48, ARMS)
        self.v = nn.Linear(48, 1)

    def forward(self, s):
        h = self.body(s)
        return self.pi(h), self.v(h)


def play(actions, s):
    level = 12.0 * s[:, 0]
    return level + (s @ M).gather(1, actions[:, None]).squeeze(1) + 0.1 * torch.randn(len(s))


def regret(net):
    s = torch.randn(1000, CONTEXT)
    with torch.no_grad():
        a = net(s)[0].argmax(1)
    r = s @ M
    return (r.max(1).values - r.gather(1, a[:, None]).squeeze(1)).mean().item()


net = ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for it in range(400):
    s = torch.randn(64, CONTEXT)
    logits, value = net(s)
    dist = torch.distributions.Categorical(logits=logits)
    a = dist.sample()
    reward = play(a, s)
    advantage = reward - value
    actor = -(dist.log_prob(a) * advantage.detach()).mean()
    critic = advantage.pow(2).mean()
    loss = actor + 0.5 * critic - 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    if it % 100 == 0:
        print(it, "reward", round(reward.mean().item(), 3), "critic", round(critic.item(), 3), "regret", round(regret(net), 3))
print("SCORE", -regret(net))
