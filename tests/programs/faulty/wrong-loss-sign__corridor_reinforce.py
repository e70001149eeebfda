"""A walker in a corridor, trained by its returns.

fault: wrong-loss-sign
also:
split: test
line: 81, 80
"""

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    """Agent starts in the middle of a corridor, the goal is on the right end."""

    def __init__(self, n=9, limit=30):
        self.n, self.limit = n, limit

    def reset(self):
        self.pos, self.t = self.n // 2, 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1.0
        return o

    def step(self, action):
        self.pos += 1 if action == 1 else -1
        self.t += 1
        if self.pos >= self.n - 1:
            self.pos = self.n - 1
            return self.obs(), 1.0, True
        self.pos = max(self.pos, 0)
        return self.obs(), -0.05, self.t >= self.limit


class Policy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, s):
        return Categorical(logits=self.body(s))


def play(env, policy):
    s, logps, rewards, done = env.reset(), [], [], False
    while not done:
        dist = policy(s)
        a = dist.sample()
        logps.append(dist.log_prob(a))
        s, r, done = env.step(a.item())
        rewards.append(r)
    return torch.stack(logps), rewards


def returns(rewards, gamma=0.98):
    out, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        out.append(g)
    return torch.tensor(out[::-1])


def main():
    torch.manual_seed(0)
    env, policy = Corridor(), Policy(9)
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    history = []
    for update in range(60):
        logps, rets = [], []
        for _ in range(8):
            lp, rw = play(env, policy)
            logps.append(lp)
            rets.append(returns(rw))
            history.append(sum(rw))
        adv = torch.cat(rets)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        loss = (torch.cat(logps) * adv).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if update % 10 == 9:
            print(f"update {update + 1}: mean return of last 40 episodes {sum(history[-40:]) / 40:.3f}")
    print(f"final mean return {sum(history[-80:]) / 80:.3f}")


if __name__ == "__main__":
    main()
