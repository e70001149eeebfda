"""REINFORCE on a little corridor: walk right to the goal, each step costs.

fault: wrong-loss-sign
also:
split: train
line: 57
"""
import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    size = 8

    def reset(self):
        self.pos, self.t = 3, 0
        return self.obs()

    def obs(self):
        v = torch.zeros(self.size)
        v[self.pos] = 1.0
        return v

    def step(self, action):
        self.pos = max(0, min(self.size - 1, self.pos + (1 if action == 1 else -1)))
        self.t += 1
        done = self.pos == self.size - 1 or self.t >= 20
        reward = 1.0 if self.pos == self.size - 1 else -0.05
        return self.obs(), reward, done


torch.manual_seed(9)
env = Corridor()
policy = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 2))
opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
history = []
for update in range(60):
    logps, returns, totals = [], [], []
    for _ in range(6):
        s, done, rewards, lp = env.reset(), False, [], []
        while not done:
            dist = Categorical(logits=policy(s))
            a = dist.sample()
            lp.append(dist.log_prob(a))
            s, r, done = env.step(a.item())
            rewards.append(r)
        g, disc = 0.0, []
        for r in reversed(rewards):
            g = r + 0.97 * g
            disc.insert(0, g)
        logps += lp
        returns += disc
        totals.append(sum(rewards))
    ret = torch.tensor(returns)
    adv = (ret - ret.mean()) / (ret.std() + 1e-6)
    loss = (torch.stack(logps) * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(sum(totals) / len(totals))
    if update % 10 == 0:
        print(update, f"return {history[-1]:.3f}")
print("SCORE", sum(history[-10:]) / 10)
