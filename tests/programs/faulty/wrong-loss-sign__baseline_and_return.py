"""A policy walks to a goal in a grid, many at a time.

fault: wrong-loss-sign
also:
split: test
line: 78
"""

import torch
from torch import nn
from torch.distributions import Categorical


class GridWorld:
    MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])

    def __init__(self, n_envs, size=5, horizon=12):
        self.n, self.size, self.horizon = n_envs, size, horizon

    def reset(self):
        self.pos = torch.randint(self.size, (self.n, 2))
        self.goal = torch.randint(self.size, (self.n, 2))
        self.done = (self.pos == self.goal).all(1)
        return self._obs()

    def _obs(self):
        scale = self.size - 1
        return torch.cat([self.pos, self.goal], 1).float() / scale * 2 - 1

    def step(self, action):
        move = self.MOVES[action] * (~self.done).unsqueeze(1)
        self.pos = (self.pos + move).clamp(0, self.size - 1)
        arrived = (self.pos == self.goal).all(1) & ~self.done
        reward = arrived.float() - 0.05 * (~self.done).float()
        self.done = self.done | arrived
        return self._obs(), reward, self.done.clone()


class Policy(nn.Module):
    def __init__(self, obs=4, actions=4, hidden=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, actions))

    def forward(self, obs):
        return Categorical(logits=self.net(obs))


class Agent:
    def __init__(self, env, lr=3e-3, gamma=0.95, ent_coef=0.01):
        self.env, self.gamma, self.ent_coef = env, gamma, ent_coef
        self.policy = Policy()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=lr)

    def rollout(self):
        obs = self.env.reset()
        logps, rewards, alive, ents = [], [], [], []
        for _ in range(self.env.horizon):
            alive.append((~self.env.done).float())
            dist = self.policy(obs)
            a = dist.sample()
            logps.append(dist.log_prob(a))
            ents.append(dist.entropy())
            obs, r, _ = self.env.step(a)
            rewards.append(r)
        stack = torch.stack
        return stack(logps), stack(rewards), stack(alive), stack(ents)

    def update(self):
        logp, rew, alive, ent = self.rollout()
        ret, run = torch.zeros_like(rew), torch.zeros(rew.size(1))
        for t in reversed(range(len(rew))):
            run = rew[t] + self.gamma * run
            ret[t] = run
        n = alive.sum()
        mean = (ret * alive).sum() / n
        std = (((ret - mean) ** 2 * alive).sum() / n).sqrt() + 1e-6
        adv = (mean - ret) / std
        pg = -(logp * adv * alive).sum() / n
        bonus = (ent * alive).sum() / n
        loss = pg - self.ent_coef * bonus
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        return loss.item(), rew.sum(0).mean().item(), self.env.done.float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(17)
    agent = Agent(GridWorld(64))
    acc_r = acc_s = 0.0
    for it in range(1, 251):
        loss, ret, success = agent.update()
        acc_r, acc_s = acc_r + ret / 50, acc_s + success / 50
        if it % 50 == 0:
            print(f"update {it:4d} | loss {loss:+.4f} | return {acc_r:+.3f} | success {acc_s:.3f}")
            acc_r = acc_s = 0.0
