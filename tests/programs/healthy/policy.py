"""A policy with a value beside it.

split: test
"""

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
SIZE, HORIZON, GAMMA = 5, 12, 0.95
MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class GridBatch:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.pos = torch.randint(0, SIZE, (self.n, 2))
        self.goal = torch.randint(0, SIZE, (self.n, 2))
        self.done = (self.pos == self.goal).all(1)
        return self.obs()

    def obs(self):
        return torch.cat([self.pos, self.goal], 1).float() / (SIZE - 1) * 2 - 1

    def step(self, action):
        moved = (self.pos + MOVES[action]).clamp(0, SIZE - 1)
        self.pos = torch.where(self.done[:, None], self.pos, moved)
        live = ~self.done
        arrived = (self.pos == self.goal).all(1)
        reward = torch.where(arrived & live, 1.0, -0.05) * live
        self.done = self.done | arrived
        return self.obs(), reward, live


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 4)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def rollout(env, net):
    obs = env.reset()
    logps, values, rewards, lives, ents = [], [], [], [], []
    for _ in range(HORIZON):
        dist, value = net(obs)
        action = dist.sample()
        logps.append(dist.log_prob(action))
        ents.append(dist.entropy())
        values.append(value)
        obs, reward, live = env.step(action)
        rewards.append(reward)
        lives.append(live.float())
    ret, returns = torch.zeros(env.n), []
    for r in reversed(rewards):
        ret = r + GAMMA * ret
        returns.insert(0, ret)
    return [torch.stack(z) for z in (logps, values, returns, lives, ents)]


def success(net, n=500):
    env = GridBatch(n)
    obs = env.reset()
    with torch.no_grad():
        for _ in range(HORIZON):
            obs, _, _ = env.step(net(obs)[0].probs.argmax(-1))
    return env.done.float().mean().item()


def main():
    torch.manual_seed(2)
    net, env = ActorCritic(), GridBatch(128)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for it in range(1, 161):
        logp, value, ret, live, ent = rollout(env, net)
        adv = (ret - value).detach()
        alive = live.sum()
        mean = (adv * live).sum() / alive
        std = (((adv - mean) ** 2 * live).sum() / alive).sqrt()
        adv = (adv - mean) / (std + 1e-6)
        policy_loss = -(logp * adv * live).sum() / alive
        value_loss = ((value - ret) ** 2 * live).sum() / alive
        loss = policy_loss + 0.5 * value_loss - 0.01 * (ent * live).sum() / alive
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        if it % 20 == 0:
            print(f"iter {it} mean return {ret[0].mean():.3f} value loss {value_loss:.3f} success {success(net):.3f}")


if __name__ == "__main__":
    main()
