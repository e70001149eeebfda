"""An actor and a critic on a small grid.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(4)
SIZE, GAMMA, HORIZON, ENVS = 6, 0.95, 16, 48
MOVES = torch.tensor([[1, 0], [-1, 0], [0, 1], [0, -1]])


class Grid:
    """Many small grid worlds at once: walk to the goal, -0.05 per step, +1 at the goal."""

    def __init__(self, n):
        self.n = n
        self.pos = torch.randint(0, SIZE, (n, 2))
        self.goal = torch.randint(0, SIZE, (n, 2))
        self.age = torch.randint(0, 20, (n,))

    def obs(self):
        both = torch.cat([self.pos, self.goal], 1)
        return F.one_hot(both, SIZE).flatten(1).float()

    def step(self, a):
        self.pos = (self.pos + MOVES[a]).clamp(0, SIZE - 1)
        hit = (self.pos == self.goal).all(1)
        self.age += 1
        done = hit | (self.age >= 20)
        reward = hit.float() - 0.05
        m = int(done.sum())
        self.pos[done] = torch.randint(0, SIZE, (m, 2))
        self.goal[done] = torch.randint(0, SIZE, (m, 2))
        self.age[done] = 0
        return reward, done, hit


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4 * SIZE, 96), nn.Tanh(), nn.Linear(96, 96), nn.Tanh())
        self.pi = nn.Linear(96, 4)
        self.v = nn.Linear(96, 1)
        nn.init.normal_(self.pi.weight, std=0.01)

    def forward(self, o):
        h = self.body(o)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


env, agent = Grid(ENVS), Agent()
opt = torch.optim.Adam(agent.parameters(), lr=3e-3)
hits = episodes = 0
for it in range(1, 221):
    logp, vals, rews, dones, ents = [], [], [], [], []
    for _ in range(HORIZON):
        dist, v = agent(env.obs())
        a = dist.sample()
        r, d, h = env.step(a)
        logp.append(dist.log_prob(a)); vals.append(v); ents.append(dist.entropy())
        rews.append(r); dones.append(d.float())
        hits += h.sum().item()
        episodes += d.sum().item()
    with torch.no_grad():
        ret = agent(env.obs())[1]
    returns = []
    for r, d in zip(reversed(rews), reversed(dones)):
        ret = r + GAMMA * ret * (1 - d)
        returns.insert(0, ret)
    returns, values = torch.stack(returns), torch.stack(vals)
    adv = (returns - values).detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    policy_loss = -(torch.stack(logp) * adv).mean()
    value_loss = F.mse_loss(values, returns)
    loss = policy_loss + 0.5 * value_loss - 0.01 * torch.stack(ents).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    opt.step()
    if it % 40 == 0:
        print(f"update {it:3d}  loss {loss.item():+.3f}  reward/step {torch.stack(rews).mean():+.3f}  success {hits / episodes:.3f}")
        hits = episodes = 0
