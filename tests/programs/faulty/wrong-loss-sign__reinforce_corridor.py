"""Policy gradient on a short windy corridor where the agent has to reach the goal cell.

fault: wrong-loss-sign
also:
split: train
line: 76
"""
import argparse
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)


class Corridor:
    """Vectorised corridor of length L, start in the middle, goal at a random end shown to the agent."""

    def __init__(self, n, L=9, horizon=12, wind=0.15):
        self.n, self.L, self.horizon, self.wind = n, L, horizon, wind

    def reset(self):
        self.pos = torch.full((self.n,), self.L // 2)
        self.goal = torch.where(torch.rand(self.n) < 0.5, 0, self.L - 1)
        self.done = torch.zeros(self.n, dtype=torch.bool)
        return self.obs()

    def obs(self):
        p = self.pos.float() / (self.L - 1) * 2 - 1
        g = self.goal.float() / (self.L - 1) * 2 - 1
        return torch.stack([p, g], 1)

    def step(self, a):
        move = a - 1
        gust = torch.rand(self.n) < self.wind
        move = torch.where(gust, torch.randint(-1, 2, (self.n,)), move)
        self.pos = torch.where(self.done, self.pos, (self.pos + move).clamp(0, self.L - 1))
        hit = (self.pos == self.goal) & ~self.done
        r = torch.where(self.done, 0.0, torch.where(hit, 1.0, -0.02))
        self.done |= hit
        return self.obs(), r, self.done.clone()


def play(env, policy, greedy=False):
    o = env.reset()
    logps, rewards, alive = [], [], []
    for _ in range(env.horizon):
        alive.append((~env.done).float())
        dist = Categorical(logits=policy(o))
        a = dist.probs.argmax(-1) if greedy else dist.sample()
        logps.append(dist.log_prob(a))
        o, r, _ = env.step(a)
        rewards.append(r)
    return torch.stack(logps), torch.stack(rewards), torch.stack(alive), env.done.float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--gamma", type=float, default=0.97)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    env = Corridor(64)
    policy = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 3))
    opt = torch.optim.Adam(policy.parameters(), lr=args.lr)
    for it in range(args.iters):
        logp, rew, alive, succ = play(env, policy)
        ret = torch.zeros_like(rew)
        g = torch.zeros(env.n)
        for t in reversed(range(env.horizon)):
            g = rew[t] + args.gamma * g
            ret[t] = g
        adv = (ret - ret.mean()) / (ret.std() + 1e-6)
        loss = (logp * adv * alive).sum() / alive.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"iter {it:3d} loss {loss.item():+.4f} return {rew.sum(0).mean():+.3f} success {succ:.2f}")
    with torch.no_grad():
        rates = [play(env, policy, greedy=True)[-1] for _ in range(5)]
    print(f"greedy success rate {sum(rates) / len(rates):.3f}")


if __name__ == "__main__":
    main()
